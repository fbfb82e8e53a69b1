package io.millrace.web.request;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import reactor.netty.NettyPipeline;
import reactor.netty.http.server.HttpServer;

/**
 * Limits the time that a client may take to send a request: from its first byte to the end of its headers, and from
 * there to the end of its body. Without this limit, a client that sends single bytes keeps a connection open forever,
 * since {@code idle-timeout} does not apply. Thread-safe.
 */
public final class RequestTimeout implements NettyServerCustomizer {

    private final Duration timeout;

    /** @param timeout for the headers, and again for the body */
    public RequestTimeout(Duration timeout) {
        this.timeout = timeout;
    }

    @Override
    public HttpServer apply(HttpServer server) {
        return server.requestTimeout(timeout).doOnChannelInit((_, channel, _) -> {
            ChannelPipeline pipeline = channel.pipeline();
            HeaderTimer timer = new HeaderTimer(timeout);
            pipeline.addBefore(NettyPipeline.HttpCodec, "millrace.headers-begin", timer);
            pipeline.addAfter(NettyPipeline.HttpCodec, "millrace.headers-end", timer.ending());
        });
    }

    /** Closes a connection whose headers are not complete in time. For one connection, on its event loop. */
    private static final class HeaderTimer extends ChannelInboundHandlerAdapter {

        private final Duration timeout;
        private @Nullable Future<?> pending;
        private boolean inBody;

        HeaderTimer(Duration timeout) {
            this.timeout = timeout;
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // nothing can be done if the connection can't be closed
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof ByteBuf && !inBody && pending == null) {
                pending = context.executor().schedule(() -> context.close(), timeout.toMillis(), TimeUnit.MILLISECONDS);
            }
            context.fireChannelRead(message);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            cancel();
            context.fireChannelInactive();
        }

        private void cancel() {
            if (pending != null) {
                pending.cancel(false);
                pending = null;
            }
        }

        /** Returns a handler of decoded requests, which ends the timer after the headers. */
        ChannelInboundHandlerAdapter ending() {
            return new ChannelInboundHandlerAdapter() {
                @Override
                public void channelRead(ChannelHandlerContext context, Object message) {
                    if (message instanceof HttpRequest) {
                        cancel();
                        inBody = true;
                    }
                    if (message instanceof LastHttpContent) {
                        inBody = false;
                    }
                    context.fireChannelRead(message);
                }
            };
        }
    }
}
