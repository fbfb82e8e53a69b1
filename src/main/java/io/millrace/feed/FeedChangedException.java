package io.millrace.feed;

import io.millrace.background.FailureCode;
import java.io.IOException;
import org.apiguardian.api.API;

/** Thrown when a feed's source is not the one that its pipeline read before. */
@API(status = API.Status.STABLE)
public final class FeedChangedException extends IOException {

    private static final long serialVersionUID = 1;

    /** @param problem the difference, as a sentence */
    public FeedChangedException(String problem) {
        super(FailureCode.CHANGED_FEED.message(
                problem + " It is not the feed that this pipeline read before. To read it from its beginning, reset the"
                        + " position: millrace positions reset PIPELINE. To continue, restore the feed."));
    }
}
