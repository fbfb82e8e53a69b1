package io.millrace.measure;

import io.millrace.codec.RecordBatch;
import io.millrace.schema.Schema;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.Term;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Buffers the records that a measure has created and not yet written to their regions. The position of a record is
 * derived from its number among all records that the measure has created for the region. The region therefore
 * recognizes a record that is written again after a restart. Not thread-safe.
 */
final class Outbox {

    private final Map<String, Target> targets = new LinkedHashMap<>();
    private final Deque<Portion> portions = new ArrayDeque<>();
    private int records;
    /** How many of the oldest portions the last {@linkplain #seal sealed} state contains. */
    private int sealedPortions;

    /** A destination with its reusable batch. */
    private record Target(RegionWriter writer, Schema schema, RecordBatch batch) {}

    /**
     * Records for one destination.
     *
     * @param first number of records created for it before
     */
    private record Portion(String target, long first, int count, byte[] bytes) {}

    /**
     * A destination of records.
     *
     * @param name name of the destination
     * @param writer writer of the region
     * @param schema schema of the records
     */
    record Destination(String name, RegionWriter writer, Schema schema) {}

    Outbox(List<Destination> destinations) {
        for (Destination one : destinations) {
            targets.put(one.name(), new Target(one.writer(), one.schema(), new RecordBatch(one.schema())));
        }
    }

    /** Returns the number of buffered records. */
    int records() {
        return records;
    }

    /** Begins a term with an empty buffer. */
    void open(Term term) {
        portions.clear();
        records = 0;
        sealedPortions = 0;
        targets.values().forEach(target -> target.writer().open(term, 0));
    }

    /** Buffers records. Ignores records whose destination does not exist. */
    void add(String target, long first, int count, byte[] bytes) {
        if (targets.containsKey(target)) {
            portions.add(new Portion(target, first, count, bytes));
            records += count;
        }
    }

    /** Marks everything in the buffer as part of the state that is being stored, to be delivered after it. */
    void seal() {
        sealedPortions = portions.size();
    }

    /**
     * Writes the {@linkplain #seal sealed} records to their regions. Records that were added since stay: until a state
     * contains them, a restart may compute them again with a different result.
     *
     * @throws io.millrace.store.error.StoreException if a write fails; the call can be retried
     */
    void deliver() {
        while (sealedPortions > 0) {
            Portion portion = portions.getFirst();
            Target target = Objects.requireNonNull(targets.get(portion.target()));
            int length = target.schema().recordLength();
            long to = (portion.first() + portion.count()) * length;
            target.writer()
                    .append(target.batch().fill(portion.bytes(), 0, portion.count(), portion.first() * length, to));
            target.writer().coverUpTo(to);
            portions.removeFirst();
            sealedPortions--;
            records -= portion.count();
        }
        targets.values().forEach(target -> target.writer().flush());
    }

    /** Ends the blocks to which later records would be added. */
    void endBlocks() {
        targets.values().forEach(target -> target.writer().endBlock());
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(portions.size());
        for (Portion portion : portions) {
            out.writeUTF(portion.target());
            out.writeLong(portion.first());
            out.writeInt(portion.count());
            out.writeInt(portion.bytes().length);
            out.write(portion.bytes());
        }
    }

    /** Restores what {@link #write} wrote: all of it is part of a stored state. */
    void read(DataInput in) throws IOException {
        int size = in.readInt();
        for (int i = 0; i < size; i++) {
            String target = in.readUTF();
            long first = in.readLong();
            int count = in.readInt();
            byte[] bytes = new byte[in.readInt()];
            in.readFully(bytes);
            add(target, first, count, bytes);
        }
        seal();
    }
}
