package io.millrace.feed.pcap;

import io.millrace.codec.RawBytes;
import io.millrace.codec.file.ContentCheck;
import io.millrace.feed.FileIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * Detects the format of a capture file by its first bytes. File names are ignored: pcapng files are often named
 * {@code .pcap}.
 */
final class Captures {

    private static final int MAGIC_BYTES = 4;

    private Captures() {}

    /**
     * Opens a reader at the capture's first packet.
     *
     * @param identity of the file, which receives the bytes that were read
     * @throws IOException if the file is not a capture, or is compressed
     */
    static CaptureReader open(Path path, FileIdentity identity) throws IOException {
        ContentCheck.requireUnpacked(path);
        CaptureInput input = new CaptureInput(path, identity);
        try {
            return reader(input);
        } catch (IOException e) {
            input.close();
            throw e;
        }
    }

    private static CaptureReader reader(CaptureInput input) throws IOException {
        int available = Math.min(input.fill(MAGIC_BYTES), MAGIC_BYTES);
        int magic = available < MAGIC_BYTES ? 0 : RawBytes.getInt(input.bytes(), 0);
        int swapped = Integer.reverseBytes(magic);
        if (magic == PcapngReader.SECTION) {
            return new PcapngReader(input);
        }
        input.littleEndian(swapped == PcapReader.MICROSECONDS || swapped == PcapReader.NANOSECONDS);
        if (magic == PcapReader.MICROSECONDS || swapped == PcapReader.MICROSECONDS) {
            return new PcapReader(input, TimestampUnit.MICROSECONDS);
        }
        if (magic == PcapReader.NANOSECONDS || swapped == PcapReader.NANOSECONDS) {
            return new PcapReader(input, TimestampUnit.NANOSECONDS);
        }
        throw input.damaged("the file begins with '" + HexFormat.of().formatHex(input.bytes(), 0, available)
                + "'. Use a file in the format pcap or pcapng.");
    }
}
