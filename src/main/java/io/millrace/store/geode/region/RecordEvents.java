package io.millrace.store.geode.region;

import io.millrace.store.query.RecordListener;
import org.apache.geode.cache.EntryEvent;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.util.CacheListenerAdapter;

/** Notifies a listener of the changes of a region. */
public final class RecordEvents extends CacheListenerAdapter<Object, byte[]> {

    private final OpenRegion followed;
    private final RecordListener listener;

    private RecordEvents(OpenRegion followed, RecordListener listener) {
        this.followed = followed;
        this.listener = listener;
    }

    /** Passes all current values of a region to the listener, and all later changes. */
    public static void follow(OpenRegion followed, RecordListener listener) {
        Region<Object, byte[]> region = followed.region();
        RecordEvents events = new RecordEvents(followed, listener);
        region.getAttributesMutator().addCacheListener(events);
        region.values().forEach(events::put);
    }

    private void put(byte[] entry) {
        listener.put(followed.newest(entry));
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
