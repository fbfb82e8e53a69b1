package io.millrace.web.stream;

import io.millrace.web.request.RequestSender;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.server.reactive.AbstractServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerResponse;

/** One stream of events to one client. */
final class EventStream {

    /**
     * Size of the send buffer, which the kernel doubles. By default it would grow to megabytes for a client that does
     * not read.
     */
    private static final int SEND_BUFFER_BYTES = 32 * 1024;

    private static final AtomicLong STREAMS = new AtomicLong();

    private final long number = STREAMS.incrementAndGet();
    private final String client;
    private final EventSource source;
    private final DataBufferFactory buffers;
    private final @Nullable Channel channel;
    private volatile boolean ended;
    /**
     * Time at which the event was passed to the connection that is not yet written to the socket; 0 if there is none.
     */
    private volatile long handedNanos;

    /** @param client a {@linkplain RequestSender#client client}, with whose other streams it is counted */
    EventStream(String client, EventSource source, ServerHttpResponse response) {
        this.client = client;
        this.source = source;
        this.buffers = response.bufferFactory();
        this.channel = channel(response);
        if (channel != null) {
            channel.config().setOption(ChannelOption.SO_SNDBUF, SEND_BUFFER_BYTES);
        }
    }

    /** Returns a number that is higher than those of all earlier streams. */
    long number() {
        return number;
    }

    String client() {
        return client;
    }

    /** Returns the connection; null if the server is not Netty. */
    private static @Nullable Channel channel(ServerHttpResponse response) {
        ServerHttpResponse inner = response;
        while (inner instanceof ServerHttpResponseDecorator decorator) {
            inner = decorator.getDelegate();
        }
        if (!(inner instanceof AbstractServerHttpResponse answer
                && answer.getNativeResponse() instanceof HttpServerResponse netty)) {
            return null;
        }
        Channel[] found = new Channel[1];
        netty.withConnection(connection -> found[0] = connection.channel());
        return found[0];
    }

    /** Returns the events, each of which is to be flushed. */
    Flux<Flux<DataBuffer>> events() {
        Flux<DataBuffer> one = Mono.defer(this::next).flux();
        Flux<Flux<DataBuffer>> following = Flux.generate(sink -> {
            if (ended) {
                sink.complete();
            } else {
                sink.next(one);
            }
        });
        return following.startWith(Flux.just(buffers.wrap(EventBytes.LISTENING)));
    }

    /**
     * Returns the next event, requested when all events before it are written to the socket. The server would otherwise
     * request 128 ahead.
     */
    private Mono<DataBuffer> next() {
        if (ended) {
            return Mono.empty();
        }
        Mono<byte[]> event = Mono.defer(() -> {
            handedNanos = 0;
            return source.next()
                    .switchIfEmpty(Mono.<byte[]>empty().doOnSubscribe(_ -> ended = true))
                    .timeout(EventBytes.SIGN_OF_LIFE, Mono.just(EventBytes.LISTENING))
                    .doOnError(_ -> ended = true);
        });
        return written().then(event).map(bytes -> {
            handedNanos = System.nanoTime() | 1;
            return buffers.wrap(bytes);
        });
    }

    /** Completes when the socket has accepted everything that the connection was given, or is closed. */
    private Mono<Void> written() {
        return channel == null
                ? Mono.empty()
                // An empty buffer is written after all others. It is scheduled as a task, since the server may be about
                // to write in the current call.
                : Mono.create(sink -> channel.eventLoop()
                        .execute(() ->
                                channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> sink.success())));
    }

    /** Returns how long an event has been waiting to be written to the socket; 0 if there is none. */
    long nanosUnderWay() {
        long startNanos = handedNanos;
        return startNanos == 0 ? 0 : System.nanoTime() - startNanos;
    }

    /** Closes the connection without sending what is buffered. */
    void cutOff() {
        if (channel != null) {
            channel.eventLoop()
                    .execute(
                            () -> { // which closes it, so it can't be closed in between
                                if (channel.isOpen()) {
                                    channel.config().setOption(ChannelOption.SO_LINGER, 0);
                                    var _ = channel.close();
                                }
                            });
        }
    }
}
