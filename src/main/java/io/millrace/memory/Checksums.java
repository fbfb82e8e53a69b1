package io.millrace.memory;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Computes CRC32C over memory. */
public final class Checksums {

    private static final long PIECE = 1 << 30;

    private Checksums() {}

    /** Returns the checksum of a range of memory of any length. */
    public static int crc32c(MemorySegment memory, long at, long length) {
        CRC32C crc = new CRC32C();
        for (long done = 0; done < length; done += PIECE) {
            ByteBuffer piece =
                    memory.asSlice(at + done, Math.min(PIECE, length - done)).asByteBuffer();
            crc.update(piece);
        }
        return (int) crc.getValue();
    }
}
