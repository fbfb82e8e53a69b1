package io.millrace.view;

import io.millrace.schema.Schema;
import java.io.InvalidObjectException;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The views that serialized ones are read to, by type and schema. They live as long as their type. Thread-safe. */
public final class KnownViews {

    private static final ClassValue<OfType> OF_TYPE = new ClassValue<>() {
        @Override
        protected OfType computeValue(Class<?> type) {
            return new OfType(new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
        }
    };

    private static final Map<Key, WeakReference<RecordViews<?>>> BY_ID = new ConcurrentHashMap<>();

    private static final long FNV_BASIS = 0xCBF2_9CE4_8422_2325L;
    private static final long FNV_PRIME = 0x100_0000_01B3L;

    private record Key(long typeId, long fingerprint) {}

    /**
     * @param last the views that were created last, by the fingerprint of their schema
     * @param first the views that were created first and gave their classes their names, by their {@link #id}
     */
    private record OfType(Map<Long, RecordViews<?>> last, Map<String, RecordViews<?>> first) {}

    private KnownViews() {}

    /** Returns what represents a type in serialized views: the 64-bit FNV-1a hash of the UTF-8 bytes of its name. */
    static long typeId(String name) {
        long id = FNV_BASIS;
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            id = (id ^ (each & 0xFF)) * FNV_PRIME;
        }
        return id;
    }

    /** Returns a hash of a text as 16 hexadecimal digits. */
    static String hash(String text) {
        return HexFormat.of().toHexDigits(typeId(text));
    }

    /** Returns what identifies the views of a type: the same in all processes that create the same. */
    static String id(Schema schema, ViewOptions options) {
        return hash(schema.fingerprintHex() + options.description());
    }

    /** Returns the first views of a type that have an id, or null if there are none. */
    static @Nullable RecordViews<?> first(Class<?> type, String id) {
        return OF_TYPE.get(type).first().get(id);
    }

    /** Adds the views of a type for a schema, and replaces those that were created before. */
    static void add(RecordViews<?> views, long fingerprint) {
        OfType ofType = OF_TYPE.get(views.type());
        ofType.last().put(fingerprint, views);
        ofType.first().putIfAbsent(views.id(), views);
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
