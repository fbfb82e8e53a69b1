package io.millrace.feed.kafka;

import io.millrace.codec.Counter;
import java.time.Duration;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports a transaction that holds back the messages behind it in a partition, because it was neither committed nor
 * aborted. Not thread-safe, except for {@link #heldBack()}.
 */
final class OpenTransactions {

    private static final Logger LOG = LoggerFactory.getLogger(OpenTransactions.class);
    private static final Duration REPORTED_AFTER = Duration.ofMinutes(1);

    private final TopicPartition partition;
    private final Counter heldBack = new Counter();
    private long position = -1;
    private long sinceNanos;
    private boolean reported;

    OpenTransactions(TopicPartition partition) {
        this.partition = partition;
    }

    /**
     * Follows the partition.
     *
     * @param next offset of the next message
     * @param held number of messages that are held back
     * @param waiting whether all others have been read
     * @return whether the transaction has been reported, now or before
     */
    boolean observe(long next, long held, boolean waiting, long nowNanos) {
        heldBack.set(held);
        if (held == 0 || !waiting || next != position) {
            if (reported) {
                LOG.info("Messages are no longer held back: partition={} position={}", partition, next);
            }
            position = held > 0 && waiting ? next : -1;
            sinceNanos = nowNanos;
            reported = false;
        } else if (!reported && nowNanos - sinceNanos >= REPORTED_AFTER.toNanos()) {
            LOG.warn(
                    "A transaction that is still open holds back the messages behind it: partition={} position={}"
                            + " heldBack={} seconds={}",
                    partition,
                    next,
                    held,
                    Duration.ofNanos(nowNanos - sinceNanos).toSeconds());
            reported = true;
        }
        return reported;
    }

    /** Returns the number of messages that are held back. Thread-safe. */
    Counter heldBack() {
        return heldBack;
    }
}
