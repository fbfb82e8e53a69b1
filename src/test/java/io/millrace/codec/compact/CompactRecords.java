package io.millrace.codec.compact;

import io.millrace.codec.ChildRows;
import io.millrace.schema.Schema;
import java.util.List;
import java.util.Random;

/**
 * A random compact record of a random schema.
 *
 * @param row row of its single values
 * @param children rows of its repeating parts
 * @param bytes the record
 */
public record CompactRecords(Schema schema, byte[] row, List<ChildRows> children, byte[] bytes) {

    /** Returns a record, the same for each seed. */
    public static CompactRecords of(long seed) {
        CompactSamples samples = new CompactSamples(new Random(seed));
        Schema schema = samples.schema();
        CompactEncoder encoder = new CompactEncoder(schema);
        byte[] row = encoder.blank();
        List<ChildRows> children = schema.groups().stream()
                .map(group -> new ChildRows(group.rowLength()))
                .toList();
        samples.fill(schema, row, children, 0);
        encoder.encode(row, 0, children, 0);
        return new CompactRecords(schema, row, children, encoder.toBytes());
    }
}
