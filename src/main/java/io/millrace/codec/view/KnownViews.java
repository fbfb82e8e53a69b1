package io.millrace.codec.view;

import java.io.InvalidObjectException;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The views that serialized ones are read to, by type and schema. They live as long as their type. Thread-safe. */
final class KnownViews {

    private static final ClassValue<Map<Long, RecordViews<?>>> OF_TYPE = new ClassValue<>() {
        @Override
        protected Map<Long, RecordViews<?>> computeValue(Class<?> type) {
            return new ConcurrentHashMap<>();
        }
    };

    private static final Map<Key, WeakReference<RecordViews<?>>> BY_NAME = new ConcurrentHashMap<>();

    private record Key(String type, long fingerprint) {}

    private KnownViews() {}

    /** Adds the views of a type for a schema, and replaces those that were created before. */
    static void add(RecordViews<?> views, long fingerprint) {
        OF_TYPE.get(views.type()).put(fingerprint, views);
        BY_NAME.values().removeIf(each -> each.refersTo(null));
        BY_NAME.put(new Key(views.type().getName(), fingerprint), new WeakReference<>(views));
    }

    /**
     * Returns the views of a type that were created last for a schema.
     *
     * @throws InvalidObjectException if there are none
     */
    static RecordViews<?> require(String type, long fingerprint) throws InvalidObjectException {
        WeakReference<RecordViews<?>> reference = BY_NAME.get(new Key(type, fingerprint));
        RecordViews<?> views = reference == null ? null : reference.get();
        if (views == null) {
            throw new InvalidObjectException("Unknown views of '" + type + "' for a schema with fingerprint "
                    + Long.toHexString(fingerprint) + ". Create them before you read serialized views.");
        }
        return views;
    }
}
