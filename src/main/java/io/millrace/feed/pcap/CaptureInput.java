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
 * A window that moves over a file, forwards only: one array, whatever the file's size. Whole numbers are read in the
 * byte order that was set last. Not thread-safe; allocates nothing after it was made.
 */
final class CaptureInput implements Closeable {

    /** The most bytes that can lie in the window: more than any packet that {@link #LONGEST_PACKET} allows. */
    static final int WINDOW_BYTES = 1 << 20;

    /** The longest packet that is taken for one, in bytes: the longest snapshot length of libpcap. */
    static final int LONGEST_PACKET = 262_144;

    private final Path path;
    private final FileChannel channel;
    private final String key;
    private final byte[] bytes = new byte[WINDOW_BYTES];
    private final ByteBuffer buffer = ByteBuffer.wrap(bytes);
    private int offset;
    private int end;
    private long endPosition;
    private boolean littleEndian;

    CaptureInput(Path path) throws IOException {
        this.path = path;
        this.key = FileIdentity.key(path);
        this.channel = FileChannel.open(path, StandardOpenOption.READ);
    }

    /** The array that holds the window. */
    byte[] bytes() {
        return bytes;
    }

    /** Offset in {@link #bytes()} of the next byte that was not skipped. */
    int offset() {
        return offset;
    }

    /** Position in the file of the byte at {@link #offset()}, in bytes from its beginning. */
    long position() {
        return endPosition - end + offset;
    }

    /** Identifies the file by what was read of it. */
    String identity() throws IOException {
        return FileIdentity.of(channel, key, position());
    }

    /** Bytes of the file from {@link #position()} on. */
    long left() throws IOException {
        return Math.max(0, channel.size() - position());
    }

    void littleEndian(boolean least) {
        littleEndian = least;
    }

    /**
     * Moves the window so that so many bytes lie in it from {@link #offset()} on. What lay there before may lie
     * elsewhere afterwards.
     *
     * @param wanted how many, at most {@link #WINDOW_BYTES}
     * @return how many lie there: fewer only where the file ends
     */
    int fill(int wanted) throws IOException {
        if (end - offset < wanted) {
            System.arraycopy(bytes, offset, bytes, 0, end - offset);
            end -= offset;
            offset = 0;
            buffer.clear().position(end);
            while (end < wanted) {
                int read = channel.read(buffer, endPosition);
                if (read < 0) {
                    break;
                }
                end += read;
                endPosition += read;
            }
        }
        return end - offset;
    }

    /**
     * Goes on so many bytes, without reading those that do not lie in the window; behind the file's end there are none.
     */
    void skip(long howMany) {
        if (howMany <= end - offset) {
            offset += (int) howMany;
        } else {
            endPosition = position() + howMany;
            offset = 0;
            end = 0;
        }
    }

    /** Two bytes in the window, unsigned, so far behind {@link #offset()}. */
    int u16(int behind) {
        short value =
                littleEndian ? RawBytes.getShortLe(bytes, offset + behind) : RawBytes.getShort(bytes, offset + behind);
        return Short.toUnsignedInt(value);
    }

    /** Four bytes in the window, unsigned, so far behind {@link #offset()}. */
    long u32(int behind) {
        int value = littleEndian ? RawBytes.getIntLe(bytes, offset + behind) : RawBytes.getInt(bytes, offset + behind);
        return Integer.toUnsignedLong(value);
    }

    /** Eight bytes in the window, so far behind {@link #offset()}. */
    long i64(int behind) {
        return littleEndian ? RawBytes.getLongLe(bytes, offset + behind) : RawBytes.getLong(bytes, offset + behind);
    }

    /** The named exception, with the file and the position that {@link #offset()} stands for. */
    CaptureException damaged(String what) {
        return new CaptureException("file=" + path + " byte " + position() + ": " + what);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
