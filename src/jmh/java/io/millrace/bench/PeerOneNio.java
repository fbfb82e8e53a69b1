package io.millrace.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import one.nio.mem.SharedMemoryBlobMap;

/** one-nio's map in a mapped file of the system's shared memory. */
final class PeerOneNio implements Peer {

    /** What its allocator keeps for each value besides. */
    private static final int OVERHEAD = 64;

    /** Times the room that the values take: with less, it finds none for longer ones after a while. */
    private static final int ROOM = 2;

    private final SharedMemoryBlobMap map;

    PeerOneNio(long entries, int averageBytes) {
        try {
            Path file = Files.createTempFile(Path.of("/dev/shm"), "bench", ".one-nio");
            long room = entries * (averageBytes + OVERHEAD) * ROOM;
            map = new SharedMemoryBlobMap((int) entries, file.toString(), room);
            Files.delete(file); // it stays mapped, and leaves nothing behind if this process dies
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void put(long key, byte[] value) {
        map.put(key, value);
    }

    @Override
    public int get(long key) {
        byte[] value = map.get(key);
        return value == null ? -1 : value.length;
    }

    @Override
    public void close() {
        map.close();
    }
}
