package io.millrace.store.geode.cache;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.apache.geode.cache.CacheWriterException;
import org.apache.geode.cache.EntryEvent;
import org.apache.geode.internal.cache.EntryEventImpl;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses writes whose {@linkplain io.millrace.store.write.Term term} has ended. Geode calls it where the value is
 * stored first, under the lock of the entry, for single and bulk writes alike, so no other write of the same key can
 * occur between the check and the write. Writes without a term are allowed from members, which remove expired values,
 * and refused from clients. Values are also admitted by the size of their region. Thread-safe.
 */
public final class TermCheck extends ExpiryCheck {

    private static final Logger LOG = LoggerFactory.getLogger(TermCheck.class);

    private final Predicate<String> current;
    private final Admission admission;
    private final boolean required;
    private final AtomicLong refused;
    /** The term that was logged last: a process that resumes is refused many times for one term. */
    private volatile @Nullable String logged;

    /** Admits values of writers by the size of their region. */
    @FunctionalInterface
    public interface Admission {

        /**
         * Admits a value before it is stored; may block.
         *
         * @param length of the value in bytes
         * @throws CacheWriterException if the region has no space for it
         */
        void admit(String region, Object key, int length);
    }

    /**
     * @param current returns whether a {@linkplain io.millrace.store.write.Term#proof proof} belongs to a current term;
     *     throws a {@link CacheWriterException} if that is not known yet
     * @param admission admits each value of a writer that is a byte array
     */
    public TermCheck(Predicate<String> current, Admission admission) {
        this(current, admission, true, new AtomicLong());
    }

    private TermCheck(Predicate<String> current, Admission admission, boolean required, AtomicLong refused) {
        this.current = current;
        this.admission = admission;
        this.required = required;
        this.refused = refused;
    }

    /** Returns a check that admits writes of clients without a term. Both count the same refusals. */
    public TermCheck optional() {
        return new TermCheck(current, admission, false, refused);
    }

    /** Returns the number of refused writes. */
    public long refused() {
        return refused.get();
    }

    @Override
    public void beforeCreate(EntryEvent<Object, Object> event) {
        check(event);
        admit(event);
    }

    @Override
    public void beforeUpdate(EntryEvent<Object, Object> event) {
        check(event);
        // A writer may extend a value; other updates rewrite it.
        if (event.getCallbackArgument() instanceof String) {
            admit(event);
        }
    }

    private void admit(EntryEvent<Object, Object> event) {
        if (event.getNewValue() instanceof byte[] value) {
            admission.admit(event.getRegion().getName(), event.getKey(), value.length);
        }
    }

    @Override
    public void beforeDestroy(EntryEvent<Object, Object> event) {
        check(event);
        super.beforeDestroy(event);
    }

    private void check(EntryEvent<Object, Object> event) throws CacheWriterException {
        if (event.getCallbackArgument() instanceof String proof) {
            if (!current.test(proof)) {
                throw refusal(event, "term '" + proof + "' has ended", proof);
            }
        } else if (required && event instanceof EntryEventImpl internal && internal.getContext() != null) {
            throw refusal(event, "a client's write carries no term", "");
        }
    }

    private StaleTermException refusal(EntryEvent<Object, Object> event, String why, String proof) {
        refused.incrementAndGet();
        String message = "Refused a write: region=" + event.getRegion().getName() + " key=" + event.getKey() + ": "
                + why + ". Another process has taken over.";
        if (!proof.equals(logged)) {
            logged = proof;
            LOG.warn("{} Further refusals of this term are only counted.", message);
        }
        return new StaleTermException(message);
    }
}
