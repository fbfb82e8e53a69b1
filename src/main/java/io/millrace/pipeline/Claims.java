package io.millrace.pipeline;

import io.millrace.pipeline.step.Retry;
import io.millrace.store.write.Claim;
import io.millrace.store.write.RegionWriters;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims and releases the right to write of a pipeline, and repeats both while the store is not reachable.
 *
 * @param persistent whether one of the pipeline's regions is persistent
 */
record Claims(WriterName name, boolean persistent, RegionWriters store, Retry retry) {

    private static final Logger LOG = LoggerFactory.getLogger(Claims.class);

    Claim claim() {
        AtomicReference<@Nullable Claim> claim = new AtomicReference<>();
        retry.run(() -> claim.set(store.claim(name, persistent)));
        return Objects.requireNonNull(claim.get());
    }

    /** Releases a term. Repeated until it succeeds: as long as this process is alive, no other one can take over. */
    void release(Term term) {
        try {
            retry.run(() -> store.release(term));
        } catch (RuntimeException e) {
            LOG.warn(
                    "Pipeline {} was not released, so other processes have to wait: reason={}",
                    name.pipeline(),
                    e.getMessage());
        }
    }
}
