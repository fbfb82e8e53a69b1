package io.millrace.store.geode.region;

import io.millrace.store.write.Term;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The values of a region in a store that may be replaced: each call uses the store that is open at the time.
 *
 * @param name of the region
 * @param values returns the values for writes in a term, or for reads if the term is null
 */
public record CurrentValues(String name, Function<@Nullable Term, Values> values) implements Values {

    private Values values(@Nullable Term term) {
        return values.apply(term);
    }

    @Override
    public Set<Object> keys() {
        return values(null).keys();
    }

    @Override
    public byte @Nullable [] get(Object key) {
        return values(null).get(key);
    }

    @Override
    public long put(Object key, byte[] value, Term term) {
        return values(term).put(key, value, term);
    }

    @Override
    public long putAll(Map<Object, byte[]> entries, Term term) {
        return values(term).putAll(entries, term);
    }

    @Override
    public byte @Nullable [] putIfAbsent(Object key, byte[] value, Term term) {
        return values(term).putIfAbsent(key, value, term);
    }

    @Override
    public long removeAll(Collection<?> keys, Term term) {
        return values(term).removeAll(keys, term);
    }
}
