package io.millrace.feed.kafka.direct;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.kafka.common.memory.MemoryPool;

/**
 * The memory for responses of brokers, which is used again for later ones. Small responses have memory of their own.
 * Not thread-safe.
 */
final class FetchBuffers implements MemoryPool {

    /** Responses up to this size are not worth keeping. */
    private static final int SMALL = 64 << 10;
    /** One is read while the next one arrives. */
    private static final int KEPT = 2;

    private final int expected;
    private final Deque<byte[]> free = new ArrayDeque<>();

    /** @param expected bytes of most responses at most */
    FetchBuffers(int expected) {
        this.expected = expected;
    }

    @Override
    public ByteBuffer tryAllocate(int size) {
        if (size <= SMALL) {
            return ByteBuffer.allocate(size);
        }
        for (byte[] array : free) {
            if (array.length >= size) {
                free.remove(array);
                return ByteBuffer.wrap(array, 0, size);
            }
        }
        free.poll(); // it is too small
        return ByteBuffer.wrap(new byte[Math.max(size, expected)], 0, size);
    }

    /** Takes back the memory of a response that has been read. */
    @Override
    @SuppressWarnings("ByteBufferBackingArray") // the whole array, wherever the buffer begins
    public void release(ByteBuffer buffer) {
        byte[] array = buffer.array();
        if (array.length > SMALL && free.size() < KEPT) {
            free.add(array);
        }
    }

    @Override
    public long size() {
        return Long.MAX_VALUE;
    }

    @Override
    public long availableMemory() {
        return Long.MAX_VALUE;
    }

    @Override
    public boolean isOutOfMemory() {
        return false;
    }
}
