package io.millrace.codec.text;

import io.millrace.codec.Admission;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.LayoutCodec;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.RejectReason.Kind;
import io.millrace.codec.layout.LayoutCodecs;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * Reads binary records: fixed ones back to back, those that vary in length each after its length in 4 bytes. Not
 * thread-safe.
 */
final class BinaryReading implements RecordReader {

    private static final int FIRST_BUFFER_BYTES = 1 << 16;

    private final RecordCodec codec;
    private final RecordBatch batch;
    private final Admission admission;
    private final LayoutCodec layout;
    private final boolean prefixed;
    private final List<String> reasons = new ArrayList<>();
    private byte[] buffer;

    BinaryReading(Schema schema) {
        Schema whole = schema.base();
        codec = RecordCodec.of(whole);
        batch = new RecordBatch(whole);
        layout = LayoutCodecs.of(whole);
        prefixed = whole.layout().variesInLength();
        admission = layout.admission();
        buffer = new byte[Math.max(FIRST_BUFFER_BYTES, whole.baseLength())];
    }

    @Override
    public ConversionResult read(InputStream in, RowSink records, BadRecord.Sink sink) throws IOException {
        long position = 0;
        long count = 0;
        long bad = 0;
        while (true) {
            int header = !prefixed ? 0 : in.readNBytes(buffer, 0, Integer.BYTES);
            boolean cutHeader = prefixed && header < Integer.BYTES;
            if (cutHeader && header == 0) {
                break;
            }
            int length = !prefixed ? codec.schema().baseLength() : cutHeader ? -1 : RawBytes.getInt(buffer, 0);
            if (length < 0 || length > codec.schema().layout().maxLength()) {
                String reason = cutHeader
                        ? "Truncated length of a record: " + header + " of " + Integer.BYTES + " bytes."
                        : "Invalid length of a record: " + Integer.toUnsignedString(length) + ". A record has at most "
                                + codec.schema().layout().maxLength() + " bytes. The rest of the file is not read.";
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
            if (write(length, records)) {
                count++;
            } else {
                sink.bad(bad(position, Kind.INVALID_VALUE, List.copyOf(reasons), length));
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

    private boolean write(int length, RowSink records) throws IOException {
        reasons.clear();
        layout.show(batch, buffer, 0, length);
        admission.admit(batch, (_, _, reason) -> explain(reason.detail()));
        if (!reasons.isEmpty()) {
            return false;
        }
        try {
            if (prefixed) {
                records.write(batch.added(), batch.addedOffset(0), batch.childRows(), 0);
            } else {
                records.write(buffer, 0, List.of(), 0);
            }
        } catch (IllegalArgumentException e) {
            reasons.addAll(InvalidRecordException.reasons(e));
        }
        return reasons.isEmpty();
    }

    /** Adds one reason for each invalid value of a fixed record, or the first of another one. */
    private void explain(String first) {
        List<FieldCodec> fields = prefixed ? List.of() : codec.codecs();
        for (FieldCodec field : fields) {
            try {
                field.text(buffer, 0);
            } catch (FieldValueException e) {
                reasons.add(String.valueOf(e.getMessage()));
            }
        }
        if (reasons.isEmpty()) {
            reasons.add(first);
        }
    }

    private BadRecord bad(long position, Kind kind, List<String> why, int length) {
        return new BadRecord(
                "byte " + position, kind, why, List.of(HexFormat.of().formatHex(buffer, 0, length)));
    }
}
