package io.millrace.web;

import java.time.Duration;
import java.util.function.Function;
import org.springframework.http.codec.ServerSentEvent;
import reactor.core.publisher.BufferOverflowStrategy;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/**
 * Hands events on to all who listen, without waiting for any of them: a listener that is slow has some events kept for
 * him, and misses the oldest where there are more. Thread-safe.
 */
final class EventHub<T> {

    private static final int LISTENERS_MAX = 100;
    private static final int KEPT = 16;

    /** Shorter than what networks let pass in silence before they cut a connection. */
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(15);

    private final Sinks.Many<T> sink = Sinks.many().multicast().directBestEffort();

    /** Hands on an event; whether anybody listens makes no difference. */
    synchronized void publish(T event) {
        sink.tryEmitNext(event);
    }

    /**
     * Events from now on, until the {@linkplain #close end}, with comments in between so that silence can be told from
     * an end.
     *
     * @param view of an event, for who listens
     * @throws ApiException where there are too many listeners
     */
    <V> Flux<ServerSentEvent<V>> listen(Function<T, V> view) {
        if (sink.currentSubscriberCount() >= LISTENERS_MAX) {
            throw new ApiException(
                    503, "too-many-streams", "there are " + LISTENERS_MAX + " listeners already: try again later");
        }
        Flux<ServerSentEvent<V>> events = sink.asFlux()
                .onBackpressureBuffer(KEPT, dropped -> {}, BufferOverflowStrategy.DROP_OLDEST)
                .map(event -> ServerSentEvent.builder(view.apply(event)).build());
        Flux<ServerSentEvent<V>> signs = Flux.interval(Duration.ZERO, SIGN_OF_LIFE)
                .onBackpressureDrop()
                .map(tick -> ServerSentEvent.<V>builder().comment("listening").build());
        // The end of the events is the end of all.
        return events.materialize().mergeWith(signs.materialize()).dematerialize();
    }

    /** Ends the streams of all who listen. */
    synchronized void close() {
        sink.tryEmitComplete();
    }
}
