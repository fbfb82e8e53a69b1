package io.millrace.store.geode.guard;

import java.io.IOException;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.geode.cache.wan.GatewayTransportFilter;
import org.apache.geode.distributed.internal.DistributionConfigImpl;
import org.apache.geode.distributed.internal.tcpserver.ClusterSocketCreator;
import org.apache.geode.distributed.internal.tcpserver.ConnectionWatcher;
import org.apache.geode.distributed.internal.tcpserver.HostAndPort;
import org.apache.geode.distributed.internal.tcpserver.TcpSocketFactory;
import org.apache.geode.internal.net.SocketCreator;
import org.apache.geode.internal.net.SocketCreatorFactory;
import org.apache.geode.internal.security.SecurableCommunicationChannel;
import org.jspecify.annotations.Nullable;

/**
 * Creates the ports of a server or locator, with or without TLS, whose connections have their input checked. With TLS,
 * the input is that of a client whose certificate has been verified. Thread-safe.
 */
public final class GuardedSockets extends SocketCreator {

    private final SocketCreator usual;
    private final InputGuard guard;
    private final OwnConnections own;
    private final ClusterSocketCreator ofCluster = new Ports();

    /**
     * @param usual creates the sockets themselves
     * @param guard checks the input
     */
    public GuardedSockets(SocketCreator usual, InputGuard guard) {
        this(usual, guard, new OwnConnections());
    }

    private GuardedSockets(SocketCreator usual, InputGuard guard, OwnConnections own) {
        super(usual.getSslConfig());
        this.usual = usual;
        this.guard = guard;
        this.own = own;
    }

    private static GuardedSockets ofLocator(SocketCreator usual) {
        OwnConnections own = new OwnConnections();
        return new GuardedSockets(
                usual, (socket, client) -> new LocatorInput(socket, client, () -> own.contain(client)), own);
    }

    /**
     * Has the next locator of this process use such a port. Geode has no public method for that.
     *
     * @param properties with which it starts
     */
    public static void useForLocator(Properties properties) {
        try {
            SocketCreatorFactory factory =
                    SocketCreatorFactory.setDistributionConfig(new DistributionConfigImpl(properties));
            SocketCreator usual =
                    SocketCreatorFactory.getSocketCreatorForComponent(SecurableCommunicationChannel.LOCATOR);
            Field field = SocketCreatorFactory.class.getDeclaredField("socketCreators");
            field.setAccessible(true);
            @SuppressWarnings("unchecked") // of the field
            Map<SecurableCommunicationChannel, SocketCreator> creators =
                    (Map<SecurableCommunicationChannel, SocketCreator>) field.get(factory);
            creators.put(SecurableCommunicationChannel.LOCATOR, ofLocator(usual));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("This version of Geode has no socketCreators.", e);
        }
    }

    @Override
    public ClusterSocketCreator forCluster() {
        return ofCluster;
    }

    @Override
    public ServerSocket createServerSocket(
            int port,
            int backlog,
            @Nullable InetAddress address,
            List<GatewayTransportFilter> filters,
            int ofHeapBuffer)
            throws IOException {
        return guarded(usual.createServerSocket(port, backlog, address, filters, SocketBuffers.BYTES));
    }

    private ServerSocket guarded(ServerSocket port) throws IOException {
        own.to(port.getLocalPort());
        return new GuardedServerSocket(port, guard);
    }

    private final class Ports implements ClusterSocketCreator {

        @Override
        public boolean useSSL() {
            return usual.forCluster().useSSL();
        }

        @Override
        public void handshakeIfSocketIsSSL(Socket socket, int timeoutMillis) throws IOException {
            usual.forCluster()
                    .handshakeIfSocketIsSSL(
                            socket instanceof GuardedSocket guarded ? guarded.accepted() : socket, timeoutMillis);
        }

        @Override
        public ServerSocket createServerSocket(int port, int backlog) throws IOException {
            return guarded(usual.forCluster().createServerSocket(port, backlog));
        }

        @Override
        public ServerSocket createServerSocket(int port, int backlog, @Nullable InetAddress address)
                throws IOException {
            return guarded(usual.forCluster().createServerSocket(port, backlog, address));
        }

        @Override
        public Socket connect(HostAndPort address) throws IOException {
            return own.add(usual.forCluster().connect(address));
        }

        @Override
        public Socket connect(
                HostAndPort address, int timeoutMillis, @Nullable ConnectionWatcher watcher, TcpSocketFactory factory)
                throws IOException {
            return own.add(usual.forCluster().connect(address, timeoutMillis, watcher, factory));
        }
    }
}
