package io.millrace.web.stream;

import reactor.core.publisher.Mono;

/**
 * The events of one listener. They are pulled: the next is requested when the previous one has been written to the
 * connection, so a listener that does not read costs nothing.
 */
public interface EventSource {

    /**
     * Returns the next event as bytes of a stream of server-sent events; empty at the end. Called again after each
     * event, and after a subscription was cancelled; one call at a time.
     */
    Mono<byte[]> next();

    /** Ends the source: the listener is gone. */
    void end();
}
