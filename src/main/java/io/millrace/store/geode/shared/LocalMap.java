package io.millrace.store.geode.shared;

import io.millrace.store.write.Term;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** A {@link SharedMap} in the memory of this process only. */
public record LocalMap<V>(ConcurrentMap<String, V> values) implements SharedMap<V> {

    public LocalMap() {
        this(new ConcurrentHashMap<>());
    }

    @Override
    public @Nullable V get(String key) {
        return values.get(key);
    }

    @Override
    public @Nullable V peek(String key) {
        return values.get(key);
    }

    @Override
    public Set<String> keys() {
        return Set.copyOf(values.keySet());
    }

    @Override
    public Map<String, V> getAll(Collection<String> keys) {
        Map<String, V> found = new HashMap<>(values);
        found.keySet().retainAll(Set.copyOf(keys));
        return found;
    }

    @Override
    public void put(String key, V value, Term term) {
        values.put(key, value);
    }

    @Override
    public void putOwn(String key, V value) {
        values.put(key, value);
    }

    @Override
    public @Nullable V putIfAbsent(String key, V value) {
        return values.putIfAbsent(key, value);
    }

    @Override
    public boolean replace(String key, V expected, V value) {
        return values.replace(key, expected, value);
    }

    @Override
    public void remove(String key, Term term) {
        values.remove(key);
    }

    @Override
    public void removeOwn(String key) {
        values.remove(key);
    }

    @Override
    public boolean remove(String key, V expected) {
        return values.remove(key, expected);
    }
}
