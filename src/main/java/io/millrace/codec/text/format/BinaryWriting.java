package io.millrace.codec.text.format;

import io.millrace.codec.ChildRows;
import io.millrace.codec.RawBytes;
import io.millrace.codec.compact.CompactEncoder;
import io.millrace.codec.text.RecordWriter;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes binary records: fixed ones back to back, compact ones each after its length in 4 bytes. Not thread-safe. */
final class BinaryWriting implements RecordWriter {

    private final OutputStream out;
    private final int recordLength;
    private final @Nullable CompactEncoder encoder;
    private final byte[] prefix = new byte[Integer.BYTES];

    BinaryWriting(Schema schema, OutputStream out) {
        this.out = out;
        this.recordLength = schema.baseLength();
        this.encoder = schema.layout().nests() ? new CompactEncoder(schema) : null;
    }

    @Override
    public void write(byte[] row, int at, List<ChildRows> children, int ordinal) throws IOException {
        if (encoder == null) {
            out.write(row, at, recordLength);
            return;
        }
        encoder.clear();
        encoder.encode(row, at, children, ordinal);
        RawBytes.putInt(prefix, 0, encoder.length());
        out.write(prefix);
        out.write(encoder.bytes(), 0, encoder.length());
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }
}
