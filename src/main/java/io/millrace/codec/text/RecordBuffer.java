package io.millrace.codec.text;

import io.millrace.codec.ChildRows;
import io.millrace.codec.compact.CompactEncoder;
import io.millrace.schema.Schema;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects binary records back to back in one array, which grows as needed. Not thread-safe. */
public final class RecordBuffer implements RowSink {

    private final int recordLength;
    private final @Nullable CompactEncoder encoder;
    private byte[] fixed = new byte[1 << 12];
    private int length;

    /** @param schema schema of the fixed or the compact layout */
    public RecordBuffer(Schema schema) {
        recordLength = schema.baseLength();
        encoder = schema.layout().nests() ? new CompactEncoder(schema) : null;
    }

    /** Removes all records. */
    public void clear() {
        length = 0;
        if (encoder != null) {
            encoder.clear();
        }
    }

    @Override
    public void write(byte[] row, int at, List<ChildRows> children, int ordinal) {
        if (encoder != null) {
            encoder.encode(row, at, children, ordinal);
            return;
        }
        if (fixed.length - length < recordLength) {
            fixed = Arrays.copyOf(fixed, Math.max(2 * fixed.length, length + recordLength));
        }
        System.arraycopy(row, at, fixed, length, recordLength);
        length += recordLength;
    }

    /** Returns the array that contains the records from its start; valid until the next write. */
    public byte[] bytes() {
        return encoder == null ? fixed : encoder.bytes();
    }

    /** Returns the length of all records in bytes. */
    public int length() {
        return encoder == null ? length : encoder.length();
    }
}
