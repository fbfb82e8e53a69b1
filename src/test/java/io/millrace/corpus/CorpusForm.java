package io.millrace.corpus;

import io.millrace.codec.RecordBatch;
import io.millrace.schema.Schema;
import io.millrace.schema.SchemaReader;
import io.millrace.store.CompactBatches;
import io.millrace.store.Packets;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The records of the corpus in one layout.
 *
 * @param name name of the layout
 * @param text the schema as YAML
 */
public record CorpusForm(String name, String text, Schema schema, List<byte[]> records) {

    static CorpusForm of(String name, String text, List<byte[]> records) {
        return new CorpusForm(name, text, read(text), records);
    }

    static Schema read(String text) {
        return SchemaReader.read("corpus.yml", text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the schema with a virtual field. */
    Schema with(String virtual, String expression) {
        return read(text + "  - { name: " + virtual + ", virtual: '" + expression.replace("'", "''") + "' }\n");
    }

    /** Returns a batch of all records, whose fields are found. */
    public RecordBatch batch() {
        return switch (name) {
            case "fixed" -> new RecordBatch(schema).fill(joined(), 0, records.size(), 0, 0);
            case "compact" -> CompactBatches.batch(schema, records);
            default -> Packets.batch(schema, 0, records.toArray(byte[][]::new));
        };
    }

    /** Returns whether rows have wider numbers than fields: see {@link Place#widens}. */
    boolean widens() {
        return name.equals("tagged");
    }

    /** Returns all records back to back. */
    byte[] joined() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        records.forEach(all::writeBytes);
        return all.toByteArray();
    }

    @Override
    public String toString() {
        return name + " " + schema.fields();
    }
}
