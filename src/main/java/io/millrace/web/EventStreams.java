package io.millrace.web;

import io.millrace.background.BackgroundTask;
import io.millrace.background.BackgroundTasks;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * All streams of server-sent events of this service. Each has at most one event under way to its client, and the next
 * is fetched only once that one has been written to the socket, whose buffer is bounded. So a client who reads slowly
 * misses events, and one who does not read at all costs a few kilobytes of the kernel's until it is cut off. Nothing
 * ever waits for a client. Thread-safe.
 */
public final class EventStreams implements DisposableBean, BackgroundTasks {

    private static final Duration LOOK = Duration.ofSeconds(1);

    private final StreamLimits limits;
    private final Set<EventStream> open = ConcurrentHashMap.newKeySet();
    private final BackgroundTask task = new BackgroundTask("slow-clients");
    private final Disposable looking;

    EventStreams(StreamLimits limits) {
        this.limits = limits;
        this.looking = Schedulers.parallel()
                .schedulePeriodically(
                        () -> task.run(this::cutOffWhoDoNotRead),
                        LOOK.toMillis(),
                        LOOK.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    /**
     * Sends events until there are no more or the client goes away; then the source is {@linkplain EventSource#end()
     * ended}.
     *
     * @param listening begins to listen
     * @return an {@link ApiException} where there are too many streams, or what {@code listening} throws
     */
    public Mono<Void> send(ServerHttpResponse response, Supplier<EventSource> listening) {
        return Mono.defer(() -> {
            if (open.size() >= limits.maxStreams()) {
                throw new ApiException(
                        503,
                        "too-many-streams",
                        "there are " + limits.maxStreams() + " streams already: try again later");
            }
            EventSource source = listening.get();
            response.getHeaders().setContentType(MediaType.TEXT_EVENT_STREAM);
            response.getHeaders().setCacheControl("no-store");
            EventStream stream = new EventStream(source, response);
            open.add(stream);
            return response.writeAndFlushWith(stream.events()).doFinally(_ -> {
                open.remove(stream);
                source.end();
            });
        });
    }

    /** How many there are. */
    int size() {
        return open.size();
    }

    private void cutOffWhoDoNotRead() {
        long patience = limits.slowClientTimeout().toNanos();
        for (EventStream stream : open) {
            if (stream.nanosUnderWay() > patience) {
                stream.cutOff();
            }
        }
    }

    @Override
    public List<BackgroundTask> backgroundTasks() {
        return List.of(task);
    }

    @Override
    public void destroy() {
        looking.dispose();
    }
}
