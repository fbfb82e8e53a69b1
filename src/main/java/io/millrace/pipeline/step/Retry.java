package io.millrace.pipeline.step;

import io.millrace.codec.Counter;
import io.millrace.store.error.CorruptDataException;
import io.millrace.store.error.DefinitionChangedException;
import io.millrace.store.error.StoreException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retries a store operation until it succeeds, with exponential backoff. While the store is unavailable, the feed waits
 * and no record is dropped. If the pipeline stops, the retries end and the failure is thrown. Only a
 * {@link StoreException} is retried.
 */
public final class Retry {

    private static final Logger LOG = LoggerFactory.getLogger(Retry.class);

    private final String pipeline;
    private final Pauses pauses;
    private final Counter failures = new Counter();
    private volatile boolean waiting;

    public Retry(String pipeline, Pauses pauses) {
        this.pipeline = pipeline;
        this.pauses = pauses;
    }

    /**
     * Runs an action until it succeeds.
     *
     * @throws DefinitionChangedException at once if the action does: it can't succeed
     * @throws CorruptDataException likewise
     */
    public void run(Runnable action) {
        Backoff backoff = new Backoff();
        while (true) {
            try {
                action.run();
                waiting = false;
                return;
            } catch (DefinitionChangedException | CorruptDataException e) {
                throw e;
            } catch (StoreException e) {
                failures.add(1);
                waiting = true;
                Duration pause = backoff.next();
                LOG.warn(
                        "Store attempt failed, retrying: pipeline={} delay={}ms reason={}",
                        pipeline,
                        pause.toMillis(),
                        e.getMessage());
                if (pauses.pause(pause)) {
                    throw e;
                }
            }
        }
    }

    /** Returns whether the last attempt failed. */
    public boolean waiting() {
        return waiting;
    }

    /** Returns the number of failed attempts. */
    public Counter failures() {
        return failures;
    }
}
