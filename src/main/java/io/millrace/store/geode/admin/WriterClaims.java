package io.millrace.store.geode.admin;

import io.millrace.store.error.StoreException;
import io.millrace.store.geode.shared.SharedMaps;
import io.millrace.store.geode.shared.WriterRegistry;
import io.millrace.store.write.Claim;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.time.Duration;
import java.util.List;

/** Claims writers for a tool, so that no pipeline writes under their names meanwhile. Not thread-safe. */
final class WriterClaims {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    private final SharedMaps shared;
    private final WriterRegistry registry;
    private final Duration timeout;

    /** @param timeout how long to wait for a process that seems to have ended */
    WriterClaims(SharedMaps shared, WriterRegistry registry, Duration timeout) {
        this.shared = shared;
        this.registry = registry;
        this.timeout = timeout;
    }

    /** Returns the names of all writers, without their parts. */
    List<WriterName> writers(boolean persistent) {
        return shared.writers(persistent).keys().stream()
                .filter(key -> !WriterRegistry.isCounter(key))
                .map(WriterName::parse)
                .filter(writer -> writer.part() == null)
                .toList();
    }

    /** @throws StoreException if a living process holds the writer */
    Term claim(WriterName name, boolean persistent) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            Claim claim = registry.claim(name, persistent);
            Term term = claim.term();
            if (term != null) {
                return term;
            }
            if (System.nanoTime() > deadline) {
                throw new StoreException("'" + name + "' is in use by " + claim.owner() + ". Stop the pipeline first.");
            }
            try {
                Thread.sleep(POLL_INTERVAL);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoreException("Interrupted while waiting for writer '" + name + "'.", e);
            }
        }
    }

    /** Releases a writer. */
    void release(Term term) {
        registry.release(term);
    }

    /** Removes a claimed writer and its parts: the next claim assigns a new number. */
    void forget(Term term) {
        registry.forget(term);
    }
}
