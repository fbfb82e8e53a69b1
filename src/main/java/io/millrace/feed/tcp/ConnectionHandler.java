package io.millrace.feed.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import javax.net.ssl.SSLException;

/** Reports the events of one connection's channel to the feed. Its event loop calls. */
final class ConnectionHandler extends ChannelInboundHandlerAdapter {

    private final TcpConnection connection;
    private final Connections connections;

    ConnectionHandler(TcpConnection connection, Connections connections) {
        this.connection = connection;
        this.connections = connections;
    }

    /** Reactor Netty, told first, leaves reading to a subscriber's demand; the feed's bounds take its place. */
    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ctx.fireChannelActive();
        ctx.channel().config().setAutoRead(true);
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
        } else if (event instanceof IdleStateEvent) {
            connections.idle(connection);
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
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
