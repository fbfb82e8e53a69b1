package io.millrace.web.stream;

import io.millrace.background.BackgroundTask;
import io.millrace.background.BackgroundTasks;
import io.millrace.web.request.ApiException;
import io.millrace.web.request.RequestSender;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The streams of server-sent events of this service. Each has at most one event in flight to its client, and fetches
 * the next only when that event has been written to the socket, whose buffer is bounded. A slow client therefore misses
 * events. A client that does not read costs a few kilobytes of kernel memory until it is disconnected. No thread waits
 * for a client. Thread-safe.
 */
public final class EventStreams implements DisposableBean, BackgroundTasks {

    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    private final StreamLimits limits;
    /** In the order in which they were opened. */
    private final Set<EventStream> open = new ConcurrentSkipListSet<>(Comparator.comparingLong(EventStream::number));

    private final BackgroundTask task = new BackgroundTask("slow-clients");
    private final Disposable checks;

    EventStreams(StreamLimits limits) {
        this.limits = limits;
        this.checks = Schedulers.parallel()
                .schedulePeriodically(
                        () -> task.run(this::cutOffSlowClients),
                        CHECK_INTERVAL.toMillis(),
                        CHECK_INTERVAL.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    /**
     * Sends events until there are no more or the client is gone; then {@linkplain EventSource#end() ends} the source.
     *
     * @param subscription starts to listen
     * @return an {@link ApiException} if there are too many streams, or an exception of {@code subscription}
     */
    public Mono<Void> send(ServerHttpResponse response, Supplier<EventSource> subscription) {
        return Mono.deferContextual(context -> {
            String client = RequestSender.client(context);
            makeSpace(client);
            EventSource source = subscription.get();
            response.getHeaders().setContentType(MediaType.TEXT_EVENT_STREAM);
            response.getHeaders().setCacheControl("no-store");
            EventStream stream = new EventStream(client, source, response);
            open.add(stream);
            return response.writeAndFlushWith(stream.events()).doFinally(_ -> {
                open.remove(stream);
                source.end();
            });
        });
    }

    /**
     * Closes the newest stream of the client that has the most if there is no space for a further one of another client
     * that has fewer. So one client cannot take the streams of all.
     *
     * @throws ApiException if there is no space
     */
    private synchronized void makeSpace(String client) {
        if (open.size() < limits.maxStreams()) {
            return;
        }
        Map<String, List<EventStream>> streams = open.stream().collect(Collectors.groupingBy(EventStream::client));
        int own = streams.getOrDefault(client, List.of()).size();
        List<EventStream> most = streams.values().stream()
                .max(Comparator.comparingInt(List::size))
                .orElse(List.of());
        if (most.size() <= own + 1) {
            throw limits.tooManyStreams();
        }
        EventStream newest = most.getLast();
        open.remove(newest);
        newest.cutOff();
    }

    int size() {
        return open.size();
    }

    private void cutOffSlowClients() {
        long timeoutNanos = limits.slowClientTimeout().toNanos();
        for (EventStream stream : open) {
            if (stream.nanosUnderWay() > timeoutNanos) {
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
        checks.dispose();
    }
}
