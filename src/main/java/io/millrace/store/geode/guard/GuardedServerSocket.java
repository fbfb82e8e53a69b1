package io.millrace.store.geode.guard;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;

/** A port whose connections have their input checked. Thread-safe. */
final class GuardedServerSocket extends ServerSocket {

    private final ServerSocket port;
    private final InputGuard guard;
    private final OpenConnections connections = new OpenConnections();

    GuardedServerSocket(ServerSocket port, InputGuard guard) throws IOException {
        this.port = port;
        this.guard = guard;
    }

    @Override
    public Socket accept() throws IOException {
        OpenConnections.Open open = connections.await();
        Socket accepted;
        try {
            accepted = port.accept();
        } catch (IOException | RuntimeException e) {
            open.close();
            throw e;
        }
        try {
            InetSocketAddress client = (InetSocketAddress) accepted.getRemoteSocketAddress();
            return new GuardedSocket(accepted, guard.of(accepted.getInputStream(), client), open);
        } catch (IOException | RuntimeException e) {
            open.close();
            accepted.close();
            throw e;
        }
    }

    @Override
    public InetAddress getInetAddress() {
        return port.getInetAddress();
    }

    @Override
    public int getLocalPort() {
        return port.getLocalPort();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return port.getLocalSocketAddress();
    }

    @Override
    public void setSoTimeout(int millis) throws SocketException {
        port.setSoTimeout(millis);
    }

    @Override
    public int getSoTimeout() throws IOException {
        return port.getSoTimeout();
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return port.getReceiveBufferSize();
    }

    @Override
    public boolean isBound() {
        return port.isBound();
    }

    @Override
    public boolean isClosed() {
        return port.isClosed();
    }

    @Override
    public void close() throws IOException {
        port.close();
    }

    @Override
    public String toString() {
        return port.toString();
    }
}
