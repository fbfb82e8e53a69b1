package io.millrace.web;

import reactor.core.publisher.Mono;

/**
 * Where one listener's events come from. They are pulled: the next is asked for when the one before has been written
 * out, so a listener who does not read costs his source nothing.
 */
public interface EventSource {

    /**
     * The next event, as its bytes in a stream of server-sent events; empty where no more will come. Asked for again
     * after each, and after a wait that was given up; one at a time.
     */
    Mono<byte[]> next();

    /** Nobody listens any more. */
    void end();
}
