package io.millrace.web;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.server.reactive.AbstractServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerResponse;

/** One stream on its way to one client. */
final class EventStream {

    /** Shorter than what networks let pass in silence before they cut a connection. */
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(15);

    private static final byte[] LISTENING = EventBytes.comment("listening");

    /** The kernel takes twice of it; left to itself it would grow to megabytes for a client that does not read. */
    private static final int SEND_BUFFER_BYTES = 32 * 1024;

    private final EventSource source;
    private final DataBufferFactory buffers;
    private final @Nullable Channel channel;
    private volatile boolean ended;
    /** When the event was handed to the connection that is not written out yet; 0 while none is under way. */
    private volatile long handedNanos;

    EventStream(EventSource source, ServerHttpResponse response) {
        this.source = source;
        this.buffers = response.bufferFactory();
        this.channel = channel(response);
        if (channel != null) {
            channel.config().setOption(ChannelOption.SO_SNDBUF, SEND_BUFFER_BYTES);
        }
    }

    /** The connection; null where another server than Netty answers. */
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

    /** The events, each to be flushed. */
    Flux<Flux<DataBuffer>> events() {
        Flux<DataBuffer> one = Mono.defer(this::next).flux();
        Flux<Flux<DataBuffer>> following = Flux.generate(sink -> {
            if (ended) {
                sink.complete();
            } else {
                sink.next(one);
            }
        });
        return following.startWith(Flux.just(buffers.wrap(LISTENING)));
    }

    /**
     * The next event, asked for when all before it is written to the socket: the server itself would take 128 ahead.
     */
    private Mono<DataBuffer> next() {
        if (ended) {
            return Mono.empty();
        }
        Mono<byte[]> event = Mono.defer(() -> {
            handedNanos = 0;
            return source.next()
                    .switchIfEmpty(Mono.<byte[]>empty().doOnSubscribe(_ -> ended = true))
                    .timeout(SIGN_OF_LIFE, Mono.just(LISTENING))
                    .doOnError(_ -> ended = true);
        });
        return written().then(event).map(bytes -> {
            handedNanos = System.nanoTime() | 1;
            return buffers.wrap(bytes);
        });
    }

    /** Ends once the socket has taken all that the connection was given, or is closed. */
    private Mono<Void> written() {
        return channel == null
                ? Mono.empty()
                // An empty buffer is written behind all others. As a task of its own, since the server may be about to
                // write in the very call that led here.
                : Mono.create(sink -> channel.eventLoop()
                        .execute(() ->
                                channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> sink.success())));
    }

    /** For how long an event has been waiting to be written out; 0 where none is. */
    long nanosUnderWay() {
        long handed = handedNanos;
        return handed == 0 ? 0 : System.nanoTime() - handed;
    }

    /** Closes the connection without waiting until what it holds is sent. */
    void cutOff() {
        if (channel != null) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            var _ = channel.close();
        }
    }
}
