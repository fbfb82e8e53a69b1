package io.millrace.store.geode.region;

import io.millrace.background.CauseChain;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.Causes;
import io.millrace.store.geode.cache.ChangedEntryException;
import io.millrace.store.geode.cache.GeodeCache;
import io.millrace.store.geode.guard.MemberLease;
import io.millrace.store.region.BlockKey;
import io.millrace.store.write.Term;
import java.io.InterruptedIOException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.function.ObjIntConsumer;
import org.apache.geode.cache.EntryNotFoundException;
import org.apache.geode.cache.Region;
import org.apache.geode.internal.cache.LocalRegion;
import org.jspecify.annotations.Nullable;

/** The values of a region in Geode. */
public final class RegionValues implements Values {

    private final GeodeCache cache;
    private final Region<Object, byte[]> region;
    private final ObjIntConsumer<Object> admission;

    public RegionValues(GeodeCache cache, Region<Object, byte[]> region) {
        this(cache, region, (_, _) -> {});
    }

    /**
     * @param admission called with the key and the length of each value of a region of blocks before it is put; may
     *     block, or throw a {@link StoreException}
     */
    public RegionValues(GeodeCache cache, Region<Object, byte[]> region, ObjIntConsumer<Object> admission) {
        this.cache = cache;
        this.region = region;
        this.admission = admission;
    }

    @Override
    public String name() {
        return region.getName();
    }

    @Override
    public Set<Object> keys() {
        try {
            MemberLease lease = MemberLease.current();
            Set<Object> keys = cache.keys(region);
            await(lease);
            return keys;
        } catch (RuntimeException e) {
            throw failure("listing of keys", e);
        }
    }

    @Override
    public byte @Nullable [] get(Object key) {
        try {
            MemberLease lease = MemberLease.current();
            byte[] value = region.get(key);
            await(lease);
            return value;
        } catch (RuntimeException e) {
            throw failure("get of " + named(key), e);
        }
    }

    /** What this member has read may have been changed by others if they removed it meanwhile. */
    private void await(MemberLease lease) {
        try {
            lease.await(() -> !cache.isOpen());
        } catch (InterruptedIOException e) {
            throw new StoreException(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public long put(Object key, byte[] value, Term term) {
        long start = System.nanoTime();
        try {
            cache.requireSpace(region);
            admission.accept(key, value.length);
            region.put(key, value, term.proof());
        } catch (RuntimeException e) {
            throw failure("put of " + named(key), e);
        }
        return System.nanoTime() - start;
    }

    @Override
    public long putAll(Map<Object, byte[]> values, Term term) {
        long start = System.nanoTime();
        try {
            cache.requireSpace(region);
            region.putAll(values, term.proof());
        } catch (RuntimeException e) {
            throw failure("put of " + values.size() + " entries", e);
        }
        return System.nanoTime() - start;
    }

    /** Geode's public interface has this method without the argument that carries the term. */
    @Override
    public byte @Nullable [] putIfAbsent(Object key, byte[] value, Term term) {
        try {
            cache.requireSpace(region);
            admission.accept(key, value.length);
            return (byte[]) ((LocalRegion) (Region<?, ?>) region).putIfAbsent(key, value, term.proof());
        } catch (RuntimeException e) {
            throw failure("put of " + named(key), e);
        }
    }

    @Override
    public long removeAll(Collection<?> keys, Term term) {
        long start = System.nanoTime();
        try {
            cache.requireSpace(region);
            region.removeAll(keys, term.proof());
        } catch (RuntimeException e) {
            throw failure("removal of " + keys.size() + " entries", e);
        }
        return System.nanoTime() - start;
    }

    /** Removes expired entries, which needs no term. */
    void expire(Collection<?> keys) {
        try {
            region.removeAll(keys);
        } catch (RuntimeException e) {
            throw failure("removal of " + keys.size() + " entries", e);
        }
    }

    /** Removes an expired entry, unless it has another version by now, and returns whether it was removed. */
    boolean expire(Object key, long version) {
        try {
            region.destroy(key, version);
            return true;
        } catch (EntryNotFoundException _) {
            return false;
        } catch (RuntimeException e) {
            if (CauseChain.has(e, ChangedEntryException.class)) {
                return false;
            }
            throw failure("removal of " + named(key), e);
        }
    }

    /** Replaces a value, unless it has changed, and returns whether it did; needs no term. */
    boolean replace(Object key, byte[] before, byte[] after) {
        try {
            cache.requireSpace(region);
            return region.replace(key, before, after);
        } catch (RuntimeException e) {
            throw failure("replacement of " + named(key), e);
        }
    }

    static String named(Object key) {
        return "key " + (key instanceof Long block ? BlockKey.format(block) : key);
    }

    private RuntimeException failure(String what, RuntimeException cause) {
        return Causes.failure("Failed " + what + " in region '" + region.getName() + "'", cause);
    }
}
