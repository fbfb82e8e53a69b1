package io.millrace.store.geode.region;

import io.millrace.store.query.RecordListener;
import org.apache.geode.cache.EntryEvent;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.util.CacheListenerAdapter;

/** Notifies a listener of the changes of a region. */
public final class RecordEvents extends CacheListenerAdapter<Object, byte[]> {

    private final RecordListener listener;

    private RecordEvents(RecordListener listener) {
        this.listener = listener;
    }

    /** Passes all current values of a region to the listener, and all later changes. */
    public static void follow(Region<Object, byte[]> region, RecordListener listener) {
        region.getAttributesMutator().addCacheListener(new RecordEvents(listener));
        region.values().forEach(listener::put);
    }

    @Override
    public void afterCreate(EntryEvent<Object, byte[]> event) {
        listener.put(event.getNewValue());
    }

    @Override
    public void afterUpdate(EntryEvent<Object, byte[]> event) {
        listener.put(event.getNewValue());
    }

    @Override
    public void afterDestroy(EntryEvent<Object, byte[]> event) {
        listener.removed(event.getKey());
    }
}
