package io.millrace.codec.text.format;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RejectReason.Kind;
import io.millrace.codec.text.BadRecord;
import io.millrace.codec.text.ConversionResult;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * Reads binary records: fixed ones back to back, those that vary in length each after its length in 4 bytes. Not
 * thread-safe.
 */
final class BinaryReading {

    private static final int FIRST_BUFFER_BYTES = 1 << 16;

    private final int fixedLength;
    private final int maxLength;
    private final boolean prefixed;
    private byte[] buffer;

    BinaryReading(Schema schema) {
        fixedLength = schema.baseLength();
        maxLength = schema.layout().maxLength();
        prefixed = schema.layout().variesInLength();
        buffer = new byte[Math.max(FIRST_BUFFER_BYTES, fixedLength)];
    }

    /**
     * Reads a whole file. What is not a valid record goes to {@code sink}, and reading continues.
     *
     * @param in not closed
     */
    ConversionResult read(InputStream in, BinarySink records, BadRecord.Sink sink) throws IOException {
        long position = 0;
        long count = 0;
        long bad = 0;
        while (true) {
            int header = !prefixed ? 0 : in.readNBytes(buffer, 0, Integer.BYTES);
            boolean cutHeader = prefixed && header < Integer.BYTES;
            if (cutHeader && header == 0) {
                break;
            }
            int length = !prefixed ? fixedLength : cutHeader ? -1 : RawBytes.getInt(buffer, 0);
            if (length < 0 || length > maxLength) {
                String reason = cutHeader
                        ? "Truncated length of a record: " + header + " of " + Integer.BYTES + " bytes."
                        : "Invalid length of a record: " + Integer.toUnsignedString(length) + ". A record has at most "
                                + maxLength + " bytes. The rest of the file is not read.";
                sink.bad(bad(position, cutHeader ? Kind.TRUNCATED : Kind.INVALID_VALUE, List.of(reason), header));
                bad++;
                break;
            }
            int read = read(in, length);
            if (read == 0 && !prefixed) {
                break;
            }
            if (read < length) {
                String reason = "Truncated record: " + read + " of " + length + " bytes.";
                sink.bad(bad(position, Kind.TRUNCATED, List.of(reason), read));
                bad++;
                break;
            }
            List<String> reasons = records.write(buffer, length);
            if (reasons.isEmpty()) {
                count++;
            } else {
                sink.bad(bad(position, Kind.INVALID_VALUE, reasons, length));
                bad++;
            }
            position += header + length;
        }
        return new ConversionResult(count, bad);
    }

    /** Reads a record, in steps, so that a wrong length does not take memory. */
    private int read(InputStream in, int length) throws IOException {
        int read = 0;
        while (read < length) {
            if (read == buffer.length) {
                buffer = Arrays.copyOf(buffer, Math.min(length, 2 * buffer.length));
            }
            int more = in.readNBytes(buffer, read, Math.min(length, buffer.length) - read);
            if (more == 0) {
                break;
            }
            read += more;
        }
        return read;
    }

    private BadRecord bad(long position, Kind kind, List<String> why, int length) {
        return new BadRecord(
                "byte " + position, kind, why, List.of(HexFormat.of().formatHex(buffer, 0, length)));
    }
}
