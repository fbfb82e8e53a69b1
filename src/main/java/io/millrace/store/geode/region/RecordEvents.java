package io.millrace.store.geode.region;

import io.millrace.store.query.RecordListener;
import io.millrace.store.region.EntryVersions;
import org.apache.geode.cache.EntryEvent;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.util.CacheListenerAdapter;

/** Notifies a listener of the changes of a region. */
public final class RecordEvents extends CacheListenerAdapter<Object, byte[]> {

    private final RecordListener listener;

    private final EntryVersions versions;

    private RecordEvents(RecordListener listener, EntryVersions versions) {
        this.listener = listener;
        this.versions = versions;
    }

    /** Passes all current values of a region to the listener, and all later changes. */
    public static void follow(OpenRegion followed, RecordListener listener) {
        Region<Object, byte[]> region = followed.region();
        RecordEvents events = new RecordEvents(listener, followed.entryVersions());
        region.getAttributesMutator().addCacheListener(events);
        region.values().forEach(events::put);
    }

    private void put(byte[] entry) {
        listener.put(versions.newest(entry));
    }

    @Override
    public void afterCreate(EntryEvent<Object, byte[]> event) {
        put(event.getNewValue());
    }

    @Override
    public void afterUpdate(EntryEvent<Object, byte[]> event) {
        put(event.getNewValue());
    }

    @Override
    public void afterDestroy(EntryEvent<Object, byte[]> event) {
        listener.removed(event.getKey());
    }
}
