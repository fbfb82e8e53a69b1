package io.millrace.store.geode.view;

import io.millrace.view.RecordViews;
import io.millrace.view.SerializedView;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.geode.DataSerializer;
import org.apache.geode.SerializationException;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Lets Geode store views of records in the regions of your application as the fingerprint of their schema and their
 * bytes. Without it, Geode stores them by Java serialization.
 *
 * <pre>
 * fingerprint (8) | mutable (1) | length (4) | bytes
 * </pre>
 *
 * <p>Call {@link #register} in each process that reads or writes views. Servers that only store them need neither the
 * types nor this class; queries on such a server fail. A view of a schema that a process does not know is refused by a
 * {@link SerializationException}. Thread-safe.
 */
@API(status = API.Status.STABLE)
public final class ViewDataSerializer extends DataSerializer {

    private static final int ID = 0x4D56;

    /** The views by fingerprint; empty until they are registered. */
    private static volatile Map<Long, RecordViews<?>> known = Map.of();

    /** The classes of the views. Geode compares their names only, and class loaders can have the same. */
    private static volatile Set<Class<?>> classes = Set.of();

    /** Used by Geode. */
    public ViewDataSerializer() {}

    /**
     * Registers all views that the process uses in regions, before it uses the regions.
     *
     * @throws IllegalStateException if views were registered before
     * @throws IllegalArgumentException if two views have the same schema, or a type is a record class, or views are of
     *     the rows of a query
     */
    public static synchronized void register(RecordViews<?>... views) {
        if (!known.isEmpty()) {
            throw new IllegalStateException("Views are already registered. Register all views in a single call.");
        }
        Map<Long, RecordViews<?>> byFingerprint = new HashMap<>();
        for (RecordViews<?> each : views) {
            RecordViews<?> other = byFingerprint.put(SerializedView.fingerprint(each), each);
            if (other != null) {
                throw new IllegalArgumentException("Views of " + each.type().getName() + " and "
                        + other.type().getName() + " have the same schema. Register one of them.");
            }
        }
        classes = byFingerprint.values().stream()
                .flatMap(each -> SerializedView.classes(each).stream())
                .collect(Collectors.toUnmodifiableSet());
        known = Map.copyOf(byFingerprint);
        DataSerializer.register(ViewDataSerializer.class);
    }

    @Override
    public Class<?>[] getSupportedClasses() {
        // A process that stores views, but has none of its own, may get this class from others. Geode wants a name.
        return classes.isEmpty() ? new Class<?>[] {ViewDataSerializer.class} : classes.toArray(Class<?>[]::new);
    }

    @Override
    public int getId() {
        return ID;
    }

    @Override
    public boolean toData(@Nullable Object view, DataOutput out) throws IOException {
        if (view != null && !classes.contains(view.getClass())) {
            throw new SerializationException("Unable to store a view of "
                    + RecordViews.typeOf(view.getClass()).getName() + ": it is of another class loader than the views"
                    + " that ViewDataSerializer has. Use the registered views.");
        }
        return SerializedView.write(view, out);
    }

    @Override
    public Object fromData(DataInput in) throws IOException {
        long fingerprint = in.readLong();
        RecordViews<?> views = known.get(fingerprint);
        if (views == null) {
            // Clients would take an IOException for a failure of the connection, and retry.
            throw new SerializationException("Unknown views of a schema with fingerprint "
                    + Long.toHexString(fingerprint) + ". Register them with ViewDataSerializer.");
        }
        return SerializedView.read(views, in);
    }
}
