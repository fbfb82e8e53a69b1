package io.millrace.web.stream;

import io.millrace.web.request.ApiException;
import java.time.Duration;

/**
 * Limits of event streams.
 *
 * @param maxStreams maximum number of concurrent streams of all kinds
 * @param slowClientTimeout how long a client may read nothing while an event waits for it, before it is disconnected
 */
public record StreamLimits(int maxStreams, Duration slowClientTimeout) {

    /** Returns the refusal of a further stream. */
    ApiException tooManyStreams() {
        return new ApiException(
                503, "too-many-streams", "there are " + maxStreams + " streams already: try again later");
    }
}
