package io.millrace.feed.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Reports the events of one connection's channel to the feed. Its event loop calls. */
final class ConnectionHandler extends ChannelInboundHandlerAdapter {

    private final TcpConnection connection;
    private final Connections connections;
    private final long idleNanos;
    private @Nullable Future<?> idleCheck;

    /** @param idleTimeout for which the connection may bring no complete record */
    ConnectionHandler(TcpConnection connection, Connections connections, Duration idleTimeout) {
        this.connection = connection;
        this.connections = connections;
        this.idleNanos = TimeUnit.NANOSECONDS.convert(idleTimeout);
    }

    /** Reactor Netty, told first, leaves reading to a subscriber's demand; the feed's bounds take its place. */
    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ctx.fireChannelActive();
        ctx.channel().config().setAutoRead(true);
        closeIfIdleIn(ctx, idleNanos);
    }

    /** Complete records count, not bytes: a sender of one byte now and then is idle too. */
    private void closeIfIdleIn(ChannelHandlerContext ctx, long nanos) {
        idleCheck = ctx.executor().schedule(() -> closeIfIdle(ctx), nanos, TimeUnit.NANOSECONDS);
    }

    private void closeIfIdle(ChannelHandlerContext ctx) {
        long left = idleNanos - connection.idleNanos(System.nanoTime());
        if (left <= 0) {
            connection.close(CloseReason.IDLE);
        } else {
            closeIfIdleIn(ctx, left);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof ByteBuf buffer && buffer.isReadable()) {
            connections.received(connection, buffer);
        } else {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent || event instanceof SslCloseCompletionEvent) {
            connections.inputEnded(connection);
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (idleCheck != null) {
            idleCheck.cancel(false);
        }
        connections.closed(connection);
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        boolean tls = cause instanceof SSLException
                || (cause instanceof DecoderException && cause.getCause() instanceof SSLException);
        connection.close(tls ? CloseReason.TLS : CloseReason.BROKEN);
    }
}
