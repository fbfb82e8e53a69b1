package io.millrace.web.stream;

import io.millrace.web.request.ApiErrorCode;
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
                ApiErrorCode.TOO_MANY_STREAMS, "Too many streams: " + maxStreams + ". Close one, or retry later.");
    }
}
