package io.millrace.store.geode.shared;

import io.millrace.background.CauseChain;
import io.millrace.store.error.CorruptDataException;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.Causes;
import io.millrace.store.geode.cache.GeodeCache;
import io.millrace.store.write.Term;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.geode.cache.EntryNotFoundException;
import org.apache.geode.cache.Region;
import org.jspecify.annotations.Nullable;

/**
 * A {@link SharedMap} in a region that every server has. In a cluster such regions have {@linkplain GeodeCache#shared
 * global scope}: a distributed lock for each key serializes changes on all servers. Values are {@linkplain Checksummed
 * checksummed}; each method that returns one throws a {@link CorruptDataException} if it is corrupt.
 */
public final class RegionMap<V> implements SharedMap<V> {

    /** The keys of a request are one object, whose size servers limit. */
    private static final int KEYS_PER_REQUEST = 1000;

    private final GeodeCache cache;
    private final Region<String, V> region;

    public RegionMap(GeodeCache cache, Region<String, V> region) {
        this.cache = cache;
        this.region = region;
    }

    @Override
    public @Nullable V get(String key) {
        V stored = peek(key);
        return stored == null ? null : opened(key, stored);
    }

    @Override
    public @Nullable V peek(String key) {
        return attempt("get", key, () -> region.get(key));
    }

    private V opened(String key, V stored) {
        V value = Checksummed.open(stored);
        if (value == null) {
            throw new CorruptDataException(
                    "Corrupt value of key '" + key + "' in region '" + region.getName() + "': invalid checksum.", null);
        }
        return value;
    }

    @Override
    public Set<String> keys() {
        return attemptAlways("listing of keys", "*", () -> Set.copyOf(cache.keys(region)));
    }

    @Override
    public Map<String, V> getAll(Collection<String> keys) {
        Map<String, V> found = new HashMap<>();
        List<String> all = List.copyOf(keys);
        for (int start = 0; start < all.size(); start += KEYS_PER_REQUEST) {
            List<String> some = all.subList(start, Math.min(all.size(), start + KEYS_PER_REQUEST));
            Map<String, V> values = attemptAlways("get", "*", () -> region.getAll(some));
            for (String key : some) {
                V stored = values.get(key);
                // Geode leaves out a key whose value it fails to read. To read that key alone throws.
                V value = stored == null ? get(key) : opened(key, stored);
                if (value != null) {
                    found.put(key, value);
                }
            }
        }
        return found;
    }

    @Override
    public void put(String key, V value, Term term) {
        change("put", key, () -> region.put(key, Checksummed.of(value), term.proof()));
    }

    @Override
    public void putOwn(String key, V value) {
        change("put", key, () -> region.put(key, Checksummed.of(value)));
    }

    @Override
    public @Nullable V putIfAbsent(String key, V value) {
        V stored = change("put", key, () -> region.putIfAbsent(key, Checksummed.of(value)));
        return stored == null ? null : opened(key, stored);
    }

    @Override
    public boolean replace(String key, V expected, V value) {
        return attemptAlways("replacement", key, () -> {
            cache.requireSpace(region);
            return region.replace(key, Checksummed.of(expected), Checksummed.of(value));
        });
    }

    @Override
    public void remove(String key, Term term) {
        destroy(key, term.proof());
    }

    @Override
    public void removeOwn(String key) {
        destroy(key, null);
    }

    @Override
    public boolean remove(String key, V expected) {
        return attemptAlways("removal", key, () -> region.remove(key, Checksummed.of(expected)));
    }

    private void destroy(String key, @Nullable String proof) {
        attempt("removal", key, () -> {
            try {
                return region.destroy(key, proof);
            } catch (EntryNotFoundException e) {
                return null;
            } catch (RuntimeException e) {
                if (CauseChain.has(e, EntryNotFoundException.class)) {
                    return null;
                }
                throw e;
            }
        });
    }

    private <T> @Nullable T change(String what, String key, Supplier<@Nullable T> action) {
        return attempt(what, key, () -> {
            cache.requireSpace(region);
            return action.get();
        });
    }

    private <T> @Nullable T attempt(String what, String key, Supplier<@Nullable T> action) {
        try {
            return action.get();
        } catch (RuntimeException e) {
            throw Causes.failure("Failed " + what + " of key '" + key + "' in region '" + region.getName() + "'", e);
        }
    }

    private <T> T attemptAlways(String what, String key, Supplier<T> action) {
        T result = attempt(what, key, action);
        if (result == null) {
            throw new StoreException(
                    "No result of " + what + " of key '" + key + "' in region '" + region.getName() + "'.");
        }
        return result;
    }
}
