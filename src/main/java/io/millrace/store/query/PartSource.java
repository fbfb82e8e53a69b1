package io.millrace.store.query;

import java.util.List;

/** A source of the parts of an answer, each from one partial scan of a region on demand. Not thread-safe. */
public interface PartSource<P> {

    /**
     * Runs the next partial scan, which ends when a part is full or a short time is over.
     *
     * @param limit number of records still wanted
     * @param nanos maximum duration
     * @return the results of the members that have data
     * @throws io.millrace.store.error.StoreException if a member can't answer
     */
    List<P> next(long limit, long nanos);

    /** Returns whether no partial scan remains. */
    boolean ended();
}
