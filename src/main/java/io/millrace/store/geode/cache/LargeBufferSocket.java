package io.millrace.store.geode.cache;

import io.millrace.store.geode.guard.SocketBuffers;
import java.net.Socket;
import java.net.SocketException;

/** A socket whose buffers have the size {@link SocketBuffers#BYTES}, whatever Geode sets. Thread-safe. */
class LargeBufferSocket extends Socket {

    @Override
    public synchronized void setSendBufferSize(int ofHeapBuffer) throws SocketException {
        super.setSendBufferSize(SocketBuffers.BYTES);
    }

    @Override
    public synchronized void setReceiveBufferSize(int ofHeapBuffer) throws SocketException {
        super.setReceiveBufferSize(SocketBuffers.BYTES);
    }
}
