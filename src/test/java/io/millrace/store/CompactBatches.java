package io.millrace.store;

import io.millrace.codec.ChildRows;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.compact.CompactEncoder;
import io.millrace.codec.compact.CompactFinder;
import io.millrace.codec.compact.CompactSamples;
import io.millrace.schema.Schema;
import io.millrace.store.block.BlockWriter;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import java.util.ArrayList;
import java.util.List;

/** Batches of compact records, and blocks of them. */
public final class CompactBatches {

    private CompactBatches() {}

    /** Random records of a schema, as bytes. */
    public static List<byte[]> random(CompactSamples samples, Schema schema, int count) {
        CompactEncoder encoder = new CompactEncoder(schema);
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] row = encoder.blank();
            List<ChildRows> children = schema.groups().stream()
                    .map(group -> new ChildRows(group.rowLength()))
                    .toList();
            samples.fill(schema, row, children, 0);
            encoder.clear();
            encoder.encode(row, 0, children, 0);
            records.add(encoder.toBytes());
        }
        return records;
    }

    /** A batch of records, whose rows are written. */
    public static RecordBatch batch(Schema rows, List<byte[]> records) {
        RecordBatch batch = Packets.fill(new RecordBatch(rows), 0, records.toArray(byte[][]::new));
        CompactFinder.of(rows).admit(batch, (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        });
        return batch;
    }

    /** A region of blocks. */
    public static RegionDefinition region(Schema schema, int blockRecords, BlockEncoding encoding, String... key) {
        return new RegionDefinition("r", Layout.BLOCKS, 0, false, schema, List.of(key), null, blockRecords, encoding);
    }

    /** Blocks of all records of a batch. */
    public static List<byte[]> blocks(RegionDefinition region, RecordBatch batch) {
        BlockWriter writer = BlockWriter.of(region, batch.schema());
        List<byte[]> blocks = new ArrayList<>();
        int index = 0;
        while (index < batch.selected()) {
            index = writer.append(batch, index);
            blocks.add(writer.seal(0, index));
            writer.clear();
        }
        return blocks;
    }
}
