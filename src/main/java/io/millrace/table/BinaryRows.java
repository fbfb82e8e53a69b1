package io.millrace.table;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.check.RecordValidator;
import io.millrace.schema.Schema;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * Rows in a file of binary records without separators. A record's number, from 1, takes the place of its line number.
 */
final class BinaryRows implements RowSource {

    private final SourceFile file;
    private final Schema records;

    /** @param records schema of the file's records */
    BinaryRows(SourceFile file, Schema records) {
        this.file = file;
        this.records = records;
    }

    @Override
    public Schema infer(String name, List<String> problems) {
        return records;
    }

    @Override
    public void read(Schema schema, Sink sink) throws IOException {
        RecordValidator validator = RecordValidator.of(records);
        RecordBatch batch = new RecordBatch(records);
        byte[] row = new byte[records.recordLength()];
        try (InputStream in = new BufferedInputStream(file.open(), 1 << 16)) {
            long number = 1;
            for (int bytesRead = in.readNBytes(row, 0, row.length);
                    bytesRead > 0 && !sink.isFull();
                    bytesRead = in.readNBytes(row, 0, row.length), number++) {
                if (bytesRead < row.length) {
                    sink.problem(number, "Truncated record: " + bytesRead + " of " + row.length + " bytes.");
                    return;
                }
                long line = number;
                validator.admit(
                        batch.fill(row, 0, 1, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION),
                        (_, _, reason) -> sink.problem(line, reason.detail()));
                if (batch.selected() == 1) {
                    sink.row(number, row);
                }
            }
        }
    }
}
