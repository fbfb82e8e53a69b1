package io.millrace.store.geode.write;

import io.millrace.store.error.StoreException;
import io.millrace.store.geode.region.Values;
import io.millrace.store.region.BlockKey;
import io.millrace.store.write.Term;
import java.util.Collection;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Values of a region in a map, whose puts fail as a test decides: before or after the value is stored. */
final class HeldValues implements Values {

    final NavigableMap<Object, byte[]> stored = new TreeMap<>();
    private BooleanSupplier failsBefore = () -> false;
    private BooleanSupplier failsAfter = () -> false;
    long puts;
    long bytes;

    /** Lets puts fail from now on. */
    void fail(BooleanSupplier before, BooleanSupplier after) {
        failsBefore = before;
        failsAfter = after;
    }

    @Override
    public String name() {
        return "held";
    }

    @Override
    public Set<Object> keys() {
        return Set.copyOf(stored.keySet());
    }

    @Override
    public byte @Nullable [] get(Object key) {
        return stored.get(key);
    }

    @Override
    public long put(Object key, byte[] value, Term term) {
        if (failsBefore.getAsBoolean()) {
            throw new StoreException("not put: " + BlockKey.format((Long) key));
        }
        stored.put(key, value);
        puts++;
        bytes += value.length;
        if (failsAfter.getAsBoolean()) {
            throw new StoreException("put without an answer: " + BlockKey.format((Long) key));
        }
        return 1;
    }

    @Override
    public long putAll(Map<Object, byte[]> values, Term term) {
        values.forEach((key, value) -> put(key, value, term));
        return 1;
    }

    @Override
    public byte @Nullable [] putIfAbsent(Object key, byte[] value, Term term) {
        return stored.putIfAbsent(key, value);
    }

    @Override
    public long removeAll(Collection<?> keys, Term term) {
        keys.forEach(stored::remove);
        return 1;
    }
}
