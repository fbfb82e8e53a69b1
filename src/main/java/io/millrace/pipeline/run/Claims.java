package io.millrace.pipeline.run;

import io.millrace.pipeline.step.Retry;
import io.millrace.store.write.Claim;
import io.millrace.store.write.RegionWriters;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims and releases the right to write of a partition, and repeats both while the store is not reachable.
 *
 * @param persistent whether one of the pipeline's regions is persistent
 * @param balance decides which partitions this process claims
 */
record Claims(WriterName name, boolean persistent, RegionWriters store, Balance balance, Retry retry) {

    private static final Logger LOG = LoggerFactory.getLogger(Claims.class);
    private static final Duration INTERVAL = Duration.ofMillis(250);
    private static final Duration INTERVAL_MOVING = Duration.ofMillis(50);

    /** Returns the time between two attempts to claim. */
    Duration interval() {
        return balance.isMoving() ? INTERVAL_MOVING : INTERVAL;
    }

    /** Claims the right, unless it is left to another process. */
    Claim claim() {
        if (!balance.mayClaim(name.partition())) {
            return Claim.heldBy(balance.owner(name.partition()));
        }
        AtomicReference<@Nullable Claim> claimed = new AtomicReference<>();
        retry.run(() -> claimed.set(store.claim(name, persistent)));
        Claim claim = Objects.requireNonNull(claimed.get());
        if (claim.term() != null) {
            balance.claimed(name.partition());
        }
        return claim;
    }

    /** Returns whether the right is to be released for another process. */
    boolean transfers() {
        return balance.transfers(name.partition());
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
        lost();
    }

    /** Marks the right as that of another process. */
    void lost() {
        balance.released(name.partition());
    }
}
