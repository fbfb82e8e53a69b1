package io.millrace.feed.generator;

import io.millrace.codec.RecordBatch;
import io.millrace.schema.Schema;

/** Generates records of the fixed layout in one reused array. */
final class FixedMaker implements BatchMaker {

    private final RecordGenerator generator;
    private final int recordLength;
    private final byte[] bytes;

    FixedMaker(Schema schema, long seed, int batchRecords) {
        generator = RecordGenerator.of(schema, seed);
        recordLength = schema.baseLength();
        bytes = new byte[Math.multiplyExact(recordLength, batchRecords)];
    }

    @Override
    public void fill(RecordBatch batch, long first, int count) {
        generator.skipTo(first);
        generator.fill(bytes, 0, count);
        batch.fill(bytes, 0, count, first * recordLength, (first + count) * recordLength);
    }

    @Override
    public int positionsPerRecord() {
        return recordLength;
    }
}
