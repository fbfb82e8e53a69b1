package io.millrace.view;

import io.millrace.schema.Schema;
import java.io.InvalidObjectException;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
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

    /** Usually one for each type; several if class loaders have types of the same name. */
    private static final Map<Key, List<WeakReference<RecordViews<?>>>> BY_ID = new ConcurrentHashMap<>();

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
        BY_ID.values().removeIf(all -> all.stream().allMatch(each -> each.refersTo(null)));
        BY_ID.compute(new Key(views.typeId(), fingerprint), (_, known) -> with(known, views));
    }

    /** Adds views to those of other types of the same name. */
    private static List<WeakReference<RecordViews<?>>> with(
            @Nullable List<WeakReference<RecordViews<?>>> known, RecordViews<?> views) {
        List<WeakReference<RecordViews<?>>> all = new ArrayList<>();
        all.add(new WeakReference<>(views));
        for (WeakReference<RecordViews<?>> each : known == null ? List.<WeakReference<RecordViews<?>>>of() : known) {
            RecordViews<?> other = each.get();
            if (other != null && other.type() != views.type()) {
                all.add(each);
            }
        }
        return List.copyOf(all);
    }

    /**
     * Returns the views of a type that were created last for a schema. If several class loaders have the type, it is
     * that of the context class loader of the thread.
     *
     * @throws InvalidObjectException if there are none, or if the context class loader does not find the type
     */
    public static RecordViews<?> require(String type, long fingerprint) throws InvalidObjectException {
        RecordViews<?> views = get(typeId(type), fingerprint);
        if (views == null) {
            throw unknown("'" + type + "'", fingerprint);
        }
        return views;
    }

    /**
     * Returns the views of a type that were created last for a schema. If several class loaders have the type, it is
     * that of the context class loader of the thread.
     *
     * @throws InvalidObjectException if there are none, or if the context class loader does not find the type
     */
    static RecordViews<?> require(long typeId, long fingerprint) throws InvalidObjectException {
        RecordViews<?> views = get(typeId, fingerprint);
        if (views == null) {
            String type = BY_ID.values().stream()
                    .flatMap(List::stream)
                    .map(WeakReference::get)
                    .filter(each -> each != null && each.typeId() == typeId)
                    .map(each -> "'" + each.type().getName() + "'")
                    .findFirst()
                    .orElse("an unknown type");
            throw unknown(type, fingerprint);
        }
        return views;
    }

    private static @Nullable RecordViews<?> get(long typeId, long fingerprint) throws InvalidObjectException {
        List<WeakReference<RecordViews<?>>> known = BY_ID.get(new Key(typeId, fingerprint));
        return known == null ? null : known.size() == 1 ? known.getFirst().get() : ofContext(known);
    }

    /** Returns the views whose type the context class loader finds. */
    private static @Nullable RecordViews<?> ofContext(List<WeakReference<RecordViews<?>>> known)
            throws InvalidObjectException {
        List<RecordViews<?>> views = new ArrayList<>();
        for (WeakReference<RecordViews<?>> each : known) {
            RecordViews<?> referent = each.get();
            if (referent != null) {
                views.add(referent);
            }
        }
        if (views.size() < 2) {
            return views.isEmpty() ? null : views.getFirst();
        }
        String name = views.getFirst().type().getName();
        Class<?> found = find(name);
        return views.stream()
                .filter(each -> each.type() == found)
                .findFirst()
                .orElseThrow(() -> new InvalidObjectException("Ambiguous type '" + name + "': " + views.size()
                        + " class loaders have views of it. Set a context class loader of the thread that finds one of"
                        + " them."));
    }

    private static @Nullable Class<?> find(String name) {
        try {
            return Class.forName(name, false, Thread.currentThread().getContextClassLoader());
        } catch (ClassNotFoundException _) {
            return null;
        }
    }

    private static InvalidObjectException unknown(String type, long fingerprint) {
        return new InvalidObjectException("Unknown views of " + type + " for a schema with fingerprint "
                + Long.toHexString(fingerprint) + ". Create them before you read serialized views.");
    }
}
