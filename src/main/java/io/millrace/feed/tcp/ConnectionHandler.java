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

/** Passes the events of one connection's channel to the feed. Runs on the channel's event loop. */
final class ConnectionHandler extends ChannelInboundHandlerAdapter {

    private final TcpConnection connection;
    private final Connections connections;
    private final long idleNanos;
    private @Nullable Future<?> idleCheck;

    /** @param idleTimeout time without a complete record after which the connection is closed */
    ConnectionHandler(TcpConnection connection, Connections connections, Duration idleTimeout) {
        this.connection = connection;
        this.connections = connections;
        this.idleNanos = TimeUnit.NANOSECONDS.convert(idleTimeout);
    }

    /**
     * Enables auto-read, after Reactor Netty, which reads on a subscriber's demand, has disabled it; {@link ReadLimits}
     * replace the demand.
     */
    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ctx.fireChannelActive();
        ctx.channel().config().setAutoRead(true);
        closeIfIdleIn(ctx, idleNanos);
    }

    /** Schedules the idle check. Only complete records count as activity: a sender of single bytes is idle too. */
    private void closeIfIdleIn(ChannelHandlerContext ctx, long nanos) {
        idleCheck = ctx.executor().schedule(() -> closeIfIdle(ctx), nanos, TimeUnit.NANOSECONDS);
    }

    private void closeIfIdle(ChannelHandlerContext ctx) {
        long remainingNanos = idleNanos - connection.idleNanos(System.nanoTime());
        if (remainingNanos <= 0) {
            connection.close(CloseReason.IDLE);
        } else {
            closeIfIdleIn(ctx, remainingNanos);
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
