package io.millrace.store.geode.region;

import io.millrace.store.error.StoreException;
import io.millrace.store.query.RecordListener;
import org.apache.geode.cache.EntryEvent;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.util.CacheListenerAdapter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies a listener of the changes of a region. For the listener, an entry that becomes corrupt later is removed: the
 * previous record would be wrong, and an exception would only end in a log.
 */
public final class RecordEvents extends CacheListenerAdapter<Object, byte[]> {

    private static final Logger LOG = LoggerFactory.getLogger(RecordEvents.class);

    private final OpenRegion followed;
    private final RecordListener listener;

    private RecordEvents(OpenRegion followed, RecordListener listener) {
        this.followed = followed;
        this.listener = listener;
    }

    /**
     * Passes all current values of a region to the listener, and all later changes.
     *
     * @throws StoreException if a current value can't be read
     */
    public static void follow(OpenRegion followed, RecordListener listener) {
        Region<Object, byte[]> region = followed.region();
        RecordEvents events = new RecordEvents(followed, listener);
        region.getAttributesMutator().addCacheListener(events);
        for (Object key : region.keySet()) {
            byte[] entry = followed.values().read(key);
            if (entry != null) {
                listener.put(followed.record(key, entry));
            }
        }
    }

    private void put(EntryEvent<Object, byte[]> event) {
        Object key = event.getKey();
        try {
            listener.put(followed.record(key, event.getNewValue()));
        } catch (StoreException e) {
            LOG.error("Entry not followed, its row is removed: reason={}", e.getMessage());
            listener.removed(key);
        }
    }

    @Override
    public void afterCreate(EntryEvent<Object, byte[]> event) {
        put(event);
    }

    @Override
    public void afterUpdate(EntryEvent<Object, byte[]> event) {
        put(event);
    }

    @Override
    public void afterDestroy(EntryEvent<Object, byte[]> event) {
        listener.removed(event.getKey());
    }
}
