package io.millrace.output.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The last flushes of a file: how long it was at which position of the feed. It is locked, so that no other process
 * writes to the file.
 *
 * <pre>
 * 0    "MRPOSIT1"
 * 8    fingerprint of the schema of the records
 * 16   flushes of 32 bytes each, number n = 1, 2, ... at index (n - 1) % 16384:
 *      number, position, length, 8 bytes each; CRC-32C of these 24 bytes; 4 bytes of zeros
 * </pre>
 *
 * Numbers are big-endian. A flush is written over one that is 16,384 earlier, so a write that is cut short leaves the
 * last one as it is. Not thread-safe.
 */
final class PositionFile implements Closeable {

    private static final long MAGIC = 0x4d52504f53495431L;
    private static final int HEADER = 16;
    private static final int SLOT = 32;
    private static final int SLOTS = 16_384;

    private final Path file;
    private final FileChannel channel;
    /** The known flushes by their numbers, oldest first. */
    private final List<Numbered> flushes;

    private long number;
    private Flushed last = Flushed.NOTHING;

    /**
     * The state of a file after a flush.
     *
     * @param position position in the feed up to which, exclusive, the file has received everything
     * @param length length of the file in bytes
     */
    record Flushed(long position, long length) {
        static final Flushed NOTHING = new Flushed(0, 0);
    }

    private record Numbered(long number, Flushed flushed) {}

    private PositionFile(Path file, FileChannel channel, List<Numbered> flushes) {
        this.file = file;
        this.channel = channel;
        this.flushes = flushes;
        if (!flushes.isEmpty()) {
            number = flushes.getLast().number;
            last = flushes.getLast().flushed;
        }
    }

    /**
     * Opens or creates a file.
     *
     * @param fingerprint of the schema of the records
     * @throws IOException if it is in use
     * @throws IllegalStateException if it is not such a file, or belongs to records of another schema
     */
    static PositionFile open(Path file, long fingerprint) throws IOException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            lock(file, channel);
            if (channel.size() < HEADER) {
                ByteBuffer header = ByteBuffer.allocate(HEADER).putLong(MAGIC).putLong(fingerprint);
                write(channel, header.flip(), 0);
            }
            return new PositionFile(file, channel, read(file, channel, fingerprint));
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static void lock(Path file, FileChannel channel) throws IOException {
        boolean locked;
        try {
            locked = channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            locked = false;
        }
        if (!locked) {
            throw new IOException("'" + file + "' is in use by another writer.");
        }
    }

    private static List<Numbered> read(Path file, FileChannel channel, long fingerprint) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(HEADER + SLOTS * SLOT);
        while (bytes.hasRemaining() && channel.read(bytes, bytes.position()) > 0) {
            // until the end of the file
        }
        bytes.flip();
        if (bytes.getLong() != MAGIC) {
            throw new IllegalStateException("'" + file + "' does not contain positions of an output. Move it away.");
        }
        if (bytes.getLong() != fingerprint) {
            throw new IllegalStateException("'" + file + "' belongs to records with other fields. To write records with"
                    + " the new fields, move it and its file away, or use another folder.");
        }
        List<Numbered> found = new ArrayList<>();
        while (bytes.remaining() >= SLOT) {
            int at = bytes.position();
            Numbered slot = new Numbered(bytes.getLong(), new Flushed(bytes.getLong(), bytes.getLong()));
            if (slot.number > 0 && bytes.getInt() == crc(bytes, at)) {
                found.add(slot);
            }
            bytes.position(at + SLOT);
        }
        found.sort(Comparator.comparingLong(Numbered::number));
        return found;
    }

    private static int crc(ByteBuffer bytes, int at) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(at, SLOT - 2 * Integer.BYTES));
        return (int) crc.getValue();
    }

    private static void write(FileChannel channel, ByteBuffer bytes, long at) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes, at + bytes.position());
        }
        channel.force(false);
    }

    /** Returns whether nothing was ever put, so that no writer has begun to write to the file. */
    boolean isNew() {
        return number == 0;
    }

    /** Returns the last flush; {@link Flushed#NOTHING} if there was none. */
    Flushed last() {
        return last;
    }

    /**
     * Returns the last flush at a position or before it, which is the last one of all for the largest number.
     *
     * @throws IllegalStateException if there have been too many since
     */
    Flushed upTo(long position) {
        for (Numbered flush : flushes.reversed()) {
            if (flush.flushed.position <= position) {
                return flush.flushed;
            }
        }
        if (number > SLOTS) {
            throw new IllegalStateException("'" + file + "' does not go back to position " + position
                    + ". Start the pipeline once with the rules that it had before, and stop it.");
        }
        return Flushed.NOTHING;
    }

    /**
     * Stores a flush as the last one. The first one can be {@link Flushed#NOTHING}: the file is about to be written.
     */
    void put(Flushed flushed) throws IOException {
        if (!isNew() && flushed.equals(last)) {
            return;
        }
        ByteBuffer slot = ByteBuffer.allocate(SLOT)
                .putLong(number + 1)
                .putLong(flushed.position)
                .putLong(flushed.length);
        slot.putInt(crc(slot, 0)).putInt(0).flip();
        write(channel, slot, HEADER + number % SLOTS * SLOT);
        number++;
        last = flushed;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
