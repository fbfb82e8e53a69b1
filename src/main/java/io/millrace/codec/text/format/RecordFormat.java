package io.millrace.codec.text.format;

import io.millrace.codec.text.BadRecord;
import io.millrace.codec.text.ConditionSink;
import io.millrace.codec.text.ConversionResult;
import io.millrace.codec.text.CsvException;
import io.millrace.codec.text.RecordReader;
import io.millrace.codec.text.RecordWriter;
import io.millrace.codec.text.csv.CsvReading;
import io.millrace.codec.text.csv.CsvWriting;
import io.millrace.schema.ProblemCode;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/** A format of files with records. Each has one reader and one writer, and every pair of formats can be converted. */
public enum RecordFormat {
    /** A header and lines of values. */
    CSV {
        @Override
        RecordReader reader(Schema schema) {
            return new CsvReading(schema);
        }

        @Override
        public RecordWriter writer(Schema schema, OutputStream out) {
            return new CsvWriting(schema, out);
        }
    },
    /** One JSON object per line. */
    JSON {
        @Override
        RecordReader reader(Schema schema) {
            return new JsonReading(schema);
        }

        @Override
        public RecordWriter writer(Schema schema, OutputStream out) {
            return new JsonWriting(schema, out);
        }
    },
    /** Binary records: back to back if they are fixed, else each after its length in 4 bytes. */
    BINARY {
        @Override
        RecordReader reader(Schema schema) {
            return (in, records, bad) ->
                    new BinaryReading(schema).read(in, new BinaryToRow(schema.base(), records), bad);
        }

        @Override
        public RecordWriter writer(Schema schema, OutputStream out) {
            return new BinaryWriting(schema, out);
        }
    };

    abstract RecordReader reader(Schema schema);

    /**
     * Returns a writer of this format, which has written what precedes the records, such as a header.
     *
     * @throws CsvException if the format can't hold records of the schema
     */
    public abstract RecordWriter writer(Schema schema, OutputStream out);

    /**
     * Converts a whole file to another format. Holds one record in memory at a time.
     *
     * @param in not closed
     * @param out not closed
     * @throws CsvException if the file as a whole can't be read, or the target can't hold records of the schema, or
     *     these can't be made of text
     */
    public ConversionResult convert(
            RecordFormat target, Schema schema, InputStream in, OutputStream out, BadRecord.Sink bad)
            throws IOException {
        boolean readOnly = schema.layout().variesInLength() && !schema.layout().nests();
        if (readOnly && (this != BINARY || target == BINARY)) {
            throw new CsvException(List.of(ProblemCode.SCHEMA_MISMATCH.message("Schema '" + schema.name()
                    + "' has the layout '"
                    + schema.layout().name() + "', whose records can only be read. Convert binary records to CSV or"
                    + " JSON lines, or use a schema of the fixed or the compact layout.")));
        }
        if (this == BINARY && target == JSON && schema.layout().nests()) {
            // From byte to byte: rows would take several times as long.
            BinaryToJson writer = new BinaryToJson(schema, out);
            ConversionResult result = new BinaryReading(schema).read(in, writer, bad);
            writer.flush();
            return result;
        }
        RecordWriter writer = target.writer(schema, out);
        ConversionResult result = reader(schema).read(in, ConditionSink.of(schema, writer), bad);
        writer.flush();
        return result;
    }
}
