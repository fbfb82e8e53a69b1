package io.millrace.codec.view;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

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

    /** Returns the views of a type that were created last for a schema, or null. */
    static @Nullable RecordViews<?> find(String type, long fingerprint) {
        WeakReference<RecordViews<?>> views = BY_NAME.get(new Key(type, fingerprint));
        return views == null ? null : views.get();
    }
}
