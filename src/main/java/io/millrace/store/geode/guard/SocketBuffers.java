package io.millrace.store.geode.guard;

/**
 * Sizes of the send and receive buffers of sockets.
 *
 * <p>Those between clients and servers are buffers that the operating system has. A sender sends no more than the
 * buffer of the receiver can hold, and then waits until the receiver has read. With Geode's default of 32 KiB, a
 * connection uses a fraction of the network's throughput. On a loopback interface, a single segment fills such a
 * buffer, and the sender often waits for a timer.
 *
 * <p>Geode has one size for these buffers and for the one in the heap that it has for each connection, also for those
 * that have not been authenticated. So the sockets use this size instead of the one that they are given, and the
 * buffers in the heap keep Geode's default.
 */
public final class SocketBuffers {

    /** The operating system may limit it ({@code net.core.rmem_max}). */
    public static final int BYTES = 512 << 10;

    /**
     * Size between members. Geode also uses it for the buffer outside the heap that each connection has, and sends a
     * message that is longer in parts, which the receiver hands from one thread to another. A full block of 4,096
     * records of 60 bytes is not longer.
     */
    public static final int MEMBER_BYTES = 256 << 10;

    private SocketBuffers() {}
}
