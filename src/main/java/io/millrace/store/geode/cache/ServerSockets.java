package io.millrace.store.geode.cache;

import io.millrace.store.geode.guard.GuardedSockets;
import io.millrace.store.geode.guard.InputGuard;
import io.millrace.store.geode.guard.OpenConnections;
import io.millrace.store.geode.guard.SocketBuffers;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.function.Supplier;
import org.apache.geode.cache.server.CacheServer;
import org.apache.geode.cache.wan.GatewayTransportFilter;
import org.apache.geode.internal.cache.CacheServerImpl;
import org.apache.geode.internal.net.SSLConfig;
import org.apache.geode.internal.net.SocketCreator;
import org.jspecify.annotations.Nullable;

/**
 * Creates the socket of a server's port without TLS, so that connections which send nothing end after some time, and
 * are limited to a {@linkplain SilentConnections number}. Geode has a thread wait for the first byte of each new
 * connection, without end. With TLS, it has a timeout. With and without, the input is {@linkplain InputGuard checked}.
 * Thread-safe.
 */
final class ServerSockets extends SocketCreator {

    private static final int LIMIT = 128;
    private static final int LIMIT_OF_ADDRESS = 64;

    private final int firstByteTimeoutMillis;

    private ServerSockets(SSLConfig none, int firstByteTimeoutMillis) {
        super(none);
        this.firstByteTimeoutMillis = firstByteTimeoutMillis;
    }

    /**
     * Has a server that has not been started use such a socket, or one with TLS. Geode has no public method for that.
     */
    static void use(CacheServer server) {
        try {
            Field field = CacheServerImpl.class.getDeclaredField("socketCreatorSupplier");
            field.setAccessible(true);
            SocketCreator usual =
                    ((CacheServerImpl) server).getSocketCreatorSupplier().get();
            SocketCreator guarded = usual.forClient().useSSL()
                    ? new GuardedSockets(usual, InputGuard.SERVER)
                    : new ServerSockets(usual.getSslConfig(), GeodeProperties.firstByteTimeoutMillis());
            field.set(server, (Supplier<SocketCreator>) () -> guarded);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("This version of Geode has no socketCreatorSupplier.", e);
        }
    }

    @Override
    public ServerSocket createServerSocket(
            int port,
            int backlog,
            @Nullable InetAddress address,
            List<GatewayTransportFilter> filters,
            int ofHeapBuffer)
            throws IOException {
        ServerSocket listener = new Listener(firstByteTimeoutMillis);
        try {
            listener.setReuseAddress(true);
            listener.setReceiveBufferSize(SocketBuffers.BYTES);
            listener.bind(new InetSocketAddress(address, port), backlog);
            return listener;
        } catch (IOException e) {
            listener.close();
            throw e;
        }
    }

    /** A server socket that knows which connections have sent nothing. */
    private static final class Listener extends ServerSocket {

        private final SilentConnections silent = new SilentConnections(LIMIT, LIMIT_OF_ADDRESS);
        private final OpenConnections connections = new OpenConnections();
        private final int firstByteTimeoutMillis;

        private Listener(int firstByteTimeoutMillis) throws IOException {
            this.firstByteTimeoutMillis = firstByteTimeoutMillis;
        }

        @Override
        public Socket accept() throws IOException {
            while (true) {
                OpenConnections.Open open = connections.await();
                Socket accepted = new Accepted(silent, open, firstByteTimeoutMillis);
                try {
                    implAccept(accepted);
                } catch (IOException | RuntimeException e) {
                    open.close();
                    throw e;
                }
                if (silent.add(accepted)) {
                    return accepted;
                }
            }
        }
    }

    /**
     * A connection. Geode removes its timeout before it reads the first byte, and sets that of the handshake
     * afterwards.
     */
    private static final class Accepted extends LargeBufferSocket {

        private final SilentConnections silent;
        private final OpenConnections.Open open;
        private final int firstByteTimeoutMillis;
        private @Nullable InputStream in;
        private boolean first = true;

        private Accepted(SilentConnections silent, OpenConnections.Open open, int firstByteTimeoutMillis) {
            this.silent = silent;
            this.open = open;
            this.firstByteTimeoutMillis = firstByteTimeoutMillis;
        }

        @Override
        public synchronized InputStream getInputStream() throws IOException {
            if (in == null) {
                in = InputGuard.SERVER.of(super.getInputStream(), (InetSocketAddress) getRemoteSocketAddress());
            }
            return in;
        }

        @Override
        public synchronized int getSoTimeout() throws SocketException {
            int timeout = super.getSoTimeout();
            return timeout == firstByteTimeoutMillis ? 0 : timeout;
        }

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized") // the connections have a lock of their own
        public void setSoTimeout(int millis) throws SocketException {
            synchronized (this) {
                if (first) {
                    first = false;
                    super.setSoTimeout(firstByteTimeoutMillis);
                    return;
                }
                super.setSoTimeout(millis);
            }
            var _ = silent.remove(this);
        }

        @Override
        public void close() throws IOException {
            var _ = silent.remove(this);
            open.close();
            super.close();
        }
    }
}
