package io.millrace.store.geode;

import io.millrace.store.geode.cache.PeerCache;
import io.millrace.store.geode.cache.ProcessName;
import io.millrace.store.geode.cache.TermCheck;
import io.millrace.store.geode.cache.UnknownWriterException;
import io.millrace.store.geode.region.OpenRegion;
import io.millrace.store.geode.region.WriteAllowance;
import io.millrace.store.geode.shared.Leases;
import io.millrace.store.geode.shared.SharedMaps;
import io.millrace.store.geode.shared.WriterRegistry;
import java.time.Duration;
import java.util.Map;
import org.apache.geode.cache.CacheWriterException;

/**
 * Decides on a member of a cluster which writes are admitted: those of current terms, while the region's size allows
 * them. Thread-safe.
 */
final class WriteCheck {

    /**
     * Maximum wait of a write to a server for the removal of old blocks; then the write is refused, and the client
     * retries.
     */
    private static final Duration ALLOWANCE_TIMEOUT = Duration.ofSeconds(2);

    private final TermCheck terms = new TermCheck(this::isCurrent, this::requireAllowance);
    private final SharedMaps shared;
    private final WriterRegistry registry;
    private final Map<String, OpenRegion> regions;

    /** @param regions the open regions of this member, by name */
    WriteCheck(PeerCache cache, Leases leases, Map<String, OpenRegion> regions) {
        shared = new SharedMaps(cache, false, terms);
        registry = new WriterRegistry(shared::writers, leases, ProcessName.self(), WriterRegistry::newToken);
        this.regions = regions;
    }

    /** Returns the check of each write. */
    TermCheck terms() {
        return terms;
    }

    /** Returns the maps whose writes are checked. */
    SharedMaps shared() {
        return shared;
    }

    /** Returns the writers whose terms are compared. */
    WriterRegistry registry() {
        return registry;
    }

    /**
     * Returns whether a term is current. While a server joins, its regions in memory may accept writes before the terms
     * on its disk are read. Whether such a term has ended is unknown then: the write fails and is retried.
     */
    private boolean isCurrent(String proof) {
        if (proof.startsWith("p") && !shared.isOpen(SharedMaps.WRITERS, true)) {
            throw new CacheWriterException("The terms on disk are not open yet on this server.");
        }
        if (registry.isCurrent(proof)) {
            return true;
        }
        if (!registry.knows(proof)) {
            throw new UnknownWriterException("The writer is not known on the servers: all of them have restarted.");
        }
        return false;
    }

    /** Waits until the region's size allows a block to be written. */
    private void requireAllowance(String name, Object key, int length) {
        OpenRegion region = regions.get(name);
        WriteAllowance allowance = region == null ? null : region.allowance();
        if (region != null
                && allowance != null
                && !allowance.await(region.growth(key, length), ALLOWANCE_TIMEOUT.toNanos())) {
            throw new CacheWriterException("The removal of old blocks from region '" + name
                    + "' is late, and retain.size is exceeded: retry the write.");
        }
    }
}
