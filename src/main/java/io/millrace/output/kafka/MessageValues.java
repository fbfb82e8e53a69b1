package io.millrace.output.kafka;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.text.RecordWriter;
import io.millrace.codec.text.format.RecordFormat;
import io.millrace.schema.Schema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;

/** Encodes the values of messages with one record. Allocates the value. Not thread-safe. */
final class MessageValues {

    private static final int LENGTH_BYTES = Integer.BYTES;

    private final Schema schema;
    private final boolean varies;
    private final boolean json;
    private final Encoded encoded = new Encoded();
    private final RecordWriter writer;
    private final byte[] row;

    /** The bytes of a record in the format of a file. */
    private static final class Encoded extends ByteArrayOutputStream {

        /** Returns a copy without bytes at both ends. */
        byte[] without(int first, int last) {
            return Arrays.copyOfRange(buf, first, count - last);
        }
    }

    /** @param schema schema of the records as they are stored */
    MessageValues(KafkaFormat format, Schema schema) {
        this.schema = schema;
        varies = schema.layout().variesInLength();
        json = format == KafkaFormat.JSON;
        writer = (json ? RecordFormat.JSON : RecordFormat.BINARY).writer(schema, encoded);
        row = new byte[varies ? 0 : schema.recordLength()];
    }

    /**
     * Returns the value of the message of a record.
     *
     * @throws io.millrace.codec.FieldValueException if the format can't hold a value of the record
     * @throws IllegalArgumentException likewise
     */
    byte[] of(RecordBatch batch, int ordinal) {
        if (!varies && !json) {
            byte[] record = new byte[schema.recordLength()];
            batch.copyRecord(ordinal, record, 0, record.length);
            return record;
        }
        encoded.reset();
        try {
            if (varies) {
                writer.write(batch.added(), batch.addedOffset(ordinal), batch.childRows(), ordinal);
            } else {
                batch.copyRecord(ordinal, row, 0, row.length);
                writer.write(row, 0, List.of(), 0);
            }
            writer.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
        // A line ends with a line feed, and a binary record of varying length begins with its length.
        return json ? encoded.without(0, 1) : encoded.without(LENGTH_BYTES, 0);
    }
}
