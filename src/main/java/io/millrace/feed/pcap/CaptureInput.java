package io.millrace.feed.pcap;

import io.millrace.codec.RawBytes;
import io.millrace.feed.FileIdentity;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A window that moves forward over a file: one array, whatever the file's size. Reads integers in the byte order set
 * last. Not thread-safe; only the constructor allocates.
 */
final class CaptureInput implements Closeable {

    /** Size of the window in bytes: larger than any packet that {@link #LONGEST_PACKET} allows. */
    static final int WINDOW_BYTES = 1 << 20;

    /** Length of the longest accepted packet in bytes: the largest snapshot length of libpcap. */
    static final int LONGEST_PACKET = 262_144;

    private final Path path;
    private final FileChannel channel;
    private final FileIdentity identity;
    private final byte[] bytes = new byte[WINDOW_BYTES];
    private final ByteBuffer buffer = ByteBuffer.wrap(bytes);
    private int offset;
    private int end;
    private long endPosition;
    /** Offset of the first byte that the identity has not received. */
    private int unidentified;

    private boolean littleEndian;

    /** @param identity of the file, which receives the bytes that were read */
    CaptureInput(Path path, FileIdentity identity) throws IOException {
        this.path = path;
        this.identity = identity;
        this.channel = FileChannel.open(path, StandardOpenOption.READ);
        try {
            identity.open(channel, 0);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Returns the array that contains the window. */
    byte[] bytes() {
        return bytes;
    }

    /** Returns the offset in {@link #bytes()} of the next byte that is not consumed. */
    int offset() {
        return offset;
    }

    /** Returns the position in the file of the byte at {@link #offset()}, in bytes from the start of the file. */
    long position() {
        return endPosition - end + offset;
    }

    /** Marks {@link #position()} as the end of a batch. */
    void endBatch() {
        identify();
        identity.endBatch();
    }

    private void identify() {
        identity.read(bytes, unidentified, offset - unidentified);
        unidentified = offset;
    }

    /** Returns the number of bytes from {@link #position()} to the end of the file. */
    long left() throws IOException {
        return Math.max(0, channel.size() - position());
    }

    void littleEndian(boolean newLittleEndian) {
        littleEndian = newLittleEndian;
    }

    /**
     * Moves the window so that it contains a number of bytes from {@link #offset()} on. Invalidates earlier offsets.
     *
     * @param wanted number of bytes, at most {@link #WINDOW_BYTES}
     * @return number of bytes from the offset to the end of the window; less than wanted only at the end of the file
     * @throws io.millrace.feed.FeedChangedException at the end, if the file was truncated after it was opened
     */
    int fill(int wanted) throws IOException {
        if (end - offset < wanted) {
            identify();
            unidentified = 0;
            System.arraycopy(bytes, offset, bytes, 0, end - offset);
            end -= offset;
            offset = 0;
            buffer.clear().position(end);
            while (end < wanted) {
                int read = channel.read(buffer, endPosition);
                if (read < 0) {
                    identity.requireComplete();
                    break;
                }
                end += read;
                endPosition += read;
            }
        }
        return end - offset;
    }

    /**
     * Skips bytes without reading those outside the window. May skip past the end of the file, where no bytes follow.
     */
    void skip(long count) throws IOException {
        if (count <= end - offset) {
            offset += (int) count;
        } else {
            endPosition = position() + count;
            offset = 0;
            end = 0;
            unidentified = 0;
            identity.moveTo(endPosition);
        }
    }

    /** Returns two bytes of the window as an unsigned number, at a distance in bytes from {@link #offset()}. */
    int u16(int delta) {
        short value =
                littleEndian ? RawBytes.getShortLe(bytes, offset + delta) : RawBytes.getShort(bytes, offset + delta);
        return Short.toUnsignedInt(value);
    }

    /** Returns four bytes of the window as an unsigned number, at a distance in bytes from {@link #offset()}. */
    long u32(int delta) {
        int value = littleEndian ? RawBytes.getIntLe(bytes, offset + delta) : RawBytes.getInt(bytes, offset + delta);
        return Integer.toUnsignedLong(value);
    }

    /** Returns eight bytes of the window as a number, at a distance in bytes from {@link #offset()}. */
    long i64(int delta) {
        return littleEndian ? RawBytes.getLongLe(bytes, offset + delta) : RawBytes.getLong(bytes, offset + delta);
    }

    /** Creates an exception whose message names the file and the position of {@link #offset()}. */
    CaptureException damaged(String what) {
        return new CaptureException("Invalid capture '" + path + "' at byte " + position() + ": " + what);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
