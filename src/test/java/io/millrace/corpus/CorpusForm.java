package io.millrace.corpus;

import io.millrace.codec.RecordBatch;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.store.CompactBatches;
import io.millrace.store.Packets;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The records of the corpus in one layout.
 *
 * @param name name of the layout
 * @param text the schema as YAML
 * @param virtual schemas with a virtual field, by its entry
 */
public record CorpusForm(String name, String text, Schema schema, List<byte[]> records, Map<String, Schema> virtual) {

    static CorpusForm of(String name, String text, List<byte[]> records) {
        return new CorpusForm(name, text, read(text), records, new HashMap<>());
    }

    static Schema read(String text) {
        return SchemaReader.read("corpus.yml", text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the schema with a virtual field. */
    Schema with(String field, String expression) {
        return virtual.computeIfAbsent(
                "  - { name: " + field + ", virtual: '" + expression.replace("'", "''") + "' }\n",
                entry -> read(text + entry));
    }

    /** Returns a batch of all records, whose fields are found. */
    public RecordBatch batch() {
        return switch (name) {
            case "fixed" -> new RecordBatch(schema).fill(joined(), 0, records.size(), 0, 0);
            case "compact" -> CompactBatches.batch(schema, records);
            default -> Packets.batch(schema, 0, records.toArray(byte[][]::new));
        };
    }

    /** Returns whether records can be written as text. */
    boolean hasText() {
        return !name.equals("tagged");
    }

    /** Returns the records as in a binary file: those that vary in length after their length. */
    byte[] file() {
        if (name.equals("fixed")) {
            return joined();
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] record : records) {
            all.writeBytes(
                    ByteBuffer.allocate(Integer.BYTES).putInt(record.length).array());
            all.writeBytes(record);
        }
        return all.toByteArray();
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
