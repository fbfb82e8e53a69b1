package io.millrace.view;

import java.io.InvalidObjectException;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The views that serialized ones are read to, by type and schema. They live as long as their type. Thread-safe. */
public final class KnownViews {

    private static final ClassValue<Map<Long, RecordViews<?>>> OF_TYPE = new ClassValue<>() {
        @Override
        protected Map<Long, RecordViews<?>> computeValue(Class<?> type) {
            return new ConcurrentHashMap<>();
        }
    };

    private static final Map<Key, WeakReference<RecordViews<?>>> BY_ID = new ConcurrentHashMap<>();

    private static final long FNV_BASIS = 0xCBF2_9CE4_8422_2325L;
    private static final long FNV_PRIME = 0x100_0000_01B3L;

    private record Key(long typeId, long fingerprint) {}

    private KnownViews() {}

    /** Returns what represents a type in serialized views: the 64-bit FNV-1a hash of the UTF-8 bytes of its name. */
    static long typeId(String name) {
        long id = FNV_BASIS;
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            id = (id ^ (each & 0xFF)) * FNV_PRIME;
        }
        return id;
    }

    /** Adds the views of a type for a schema, and replaces those that were created before. */
    static void add(RecordViews<?> views, long fingerprint) {
        OF_TYPE.get(views.type()).put(fingerprint, views);
        BY_ID.values().removeIf(each -> each.refersTo(null));
        BY_ID.put(new Key(views.typeId(), fingerprint), new WeakReference<>(views));
    }

    /**
     * Returns the views of a type that were created last for a schema.
     *
     * @throws InvalidObjectException if there are none
     */
    public static RecordViews<?> require(String type, long fingerprint) throws InvalidObjectException {
        RecordViews<?> views = get(typeId(type), fingerprint);
        if (views == null) {
            throw unknown("'" + type + "'", fingerprint);
        }
        return views;
    }

    /**
     * Returns the views of a type that were created last for a schema.
     *
     * @throws InvalidObjectException if there are none
     */
    static RecordViews<?> require(long typeId, long fingerprint) throws InvalidObjectException {
        RecordViews<?> views = get(typeId, fingerprint);
        if (views == null) {
            String type = BY_ID.values().stream()
                    .map(WeakReference::get)
                    .filter(each -> each != null && each.typeId() == typeId)
                    .map(each -> "'" + each.type().getName() + "'")
                    .findFirst()
                    .orElse("an unknown type");
            throw unknown(type, fingerprint);
        }
        return views;
    }

    private static @Nullable RecordViews<?> get(long typeId, long fingerprint) {
        WeakReference<RecordViews<?>> reference = BY_ID.get(new Key(typeId, fingerprint));
        return reference == null ? null : reference.get();
    }

    private static InvalidObjectException unknown(String type, long fingerprint) {
        return new InvalidObjectException("Unknown views of " + type + " for a schema with fingerprint "
                + Long.toHexString(fingerprint) + ". Create them before you read serialized views.");
    }
}
