package io.millrace.store;

import java.util.List;

/** Looks for the parts of an answer, stretch by stretch of a region, each when it is asked for. Not thread-safe. */
public interface PartSource<P> {

    /**
     * Looks at the next stretch: as much as fits a part, or is done in a short time.
     *
     * @param limit how many records are still wanted
     * @param nanos the longest that it may take
     * @return what was found there, by each member of those that have data
     * @throws StoreException where a member can't answer
     */
    List<P> next(long limit, long nanos);

    /** Whether there is no next stretch. */
    boolean ended();
}
