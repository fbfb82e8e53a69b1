package io.millrace.feed;

import org.apiguardian.api.API;

/** What the end of a feed says about further records. */
@API(status = API.Status.STABLE)
public enum FeedEnd {
    /** The feed does not end. */
    NEVER,
    /**
     * The source may grow. The feed continues where it has ended when the pipeline starts again, so windows of event
     * time stay open.
     */
    OPEN,
    /** No further records follow. All windows of event time close. */
    FINAL
}
