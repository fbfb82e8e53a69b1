package io.millrace.store.geode.guard;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;

/** An accepted connection whose input is checked. Thread-safe. */
final class GuardedSocket extends Socket {

    private final Socket accepted;
    private final InputStream in;
    private final OpenConnections.Open open;

    GuardedSocket(Socket accepted, InputStream in, OpenConnections.Open open) {
        this.accepted = accepted;
        this.open = open;
        this.in = in;
    }

    /** Returns the connection itself. */
    Socket accepted() {
        return accepted;
    }

    @Override
    public InputStream getInputStream() {
        return in;
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        return accepted.getOutputStream();
    }

    @Override
    public InetAddress getInetAddress() {
        return accepted.getInetAddress();
    }

    @Override
    public InetAddress getLocalAddress() {
        return accepted.getLocalAddress();
    }

    @Override
    public int getPort() {
        return accepted.getPort();
    }

    @Override
    public int getLocalPort() {
        return accepted.getLocalPort();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return accepted.getRemoteSocketAddress();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return accepted.getLocalSocketAddress();
    }

    @Override
    public void setTcpNoDelay(boolean on) throws SocketException {
        accepted.setTcpNoDelay(on);
    }

    @Override
    public void setKeepAlive(boolean on) throws SocketException {
        accepted.setKeepAlive(on);
    }

    @Override
    public void setSoLinger(boolean on, int seconds) throws SocketException {
        accepted.setSoLinger(on, seconds);
    }

    @Override
    public void setSoTimeout(int millis) throws SocketException {
        accepted.setSoTimeout(millis);
    }

    @Override
    public int getSoTimeout() throws SocketException {
        return accepted.getSoTimeout();
    }

    @Override
    public void setSendBufferSize(int ofHeapBuffer) throws SocketException {
        accepted.setSendBufferSize(SocketBuffers.BYTES);
    }

    @Override
    public int getSendBufferSize() throws SocketException {
        return accepted.getSendBufferSize();
    }

    @Override
    public void setReceiveBufferSize(int ofHeapBuffer) throws SocketException {
        accepted.setReceiveBufferSize(SocketBuffers.BYTES);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return accepted.getReceiveBufferSize();
    }

    @Override
    public boolean isConnected() {
        return accepted.isConnected();
    }

    @Override
    public boolean isBound() {
        return accepted.isBound();
    }

    @Override
    public boolean isClosed() {
        return accepted.isClosed();
    }

    @Override
    public boolean isInputShutdown() {
        return accepted.isInputShutdown();
    }

    @Override
    public boolean isOutputShutdown() {
        return accepted.isOutputShutdown();
    }

    @Override
    public void shutdownInput() throws IOException {
        accepted.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        accepted.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        open.close();
        accepted.close();
    }

    @Override
    public String toString() {
        return accepted.toString();
    }
}
