package io.millrace.measure;

import io.millrace.codec.RecordBatch;
import io.millrace.schema.Schema;
import io.millrace.store.RegionWriter;
import io.millrace.store.Term;
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
 * Records that a measure made and that their regions do not hold yet. The position of a record is that of its number
 * among all that the measure ever made for the region: one that is brought again after a restart is there already. Not
 * thread-safe.
 */
final class Outbox {

    private final Map<String, Target> targets = new LinkedHashMap<>();
    private final Deque<Portion> portions = new ArrayDeque<>();
    private int records;

    /** A region that takes records. */
    private record Target(RegionWriter writer, Schema schema, RecordBatch batch) {}

    /**
     * Records for a region.
     *
     * @param first how many were made for it before
     */
    private record Portion(String target, long first, int count, byte[] bytes) {}

    /**
     * Where records go.
     *
     * @param name of the records
     * @param writer of the region that takes them
     * @param schema of them
     */
    record Destination(String name, RegionWriter writer, Schema schema) {}

    Outbox(List<Destination> destinations) {
        for (Destination one : destinations) {
            targets.put(one.name(), new Target(one.writer(), one.schema(), new RecordBatch(one.schema())));
        }
    }

    /** How many records wait. */
    int records() {
        return records;
    }

    /** Begins a term with nothing waiting. */
    void open(Term term) {
        portions.clear();
        records = 0;
        targets.values().forEach(target -> target.writer().open(term, 0));
    }

    /** Takes records, unless they go nowhere. */
    void add(String target, long first, int count, byte[] bytes) {
        if (targets.containsKey(target)) {
            portions.add(new Portion(target, first, count, bytes));
            records += count;
        }
    }

    /**
     * Brings all records to their regions.
     *
     * @throws io.millrace.store.StoreException where a put fails: call again
     */
    void deliver() {
        while (!portions.isEmpty()) {
            Portion portion = portions.getFirst();
            Target target = Objects.requireNonNull(targets.get(portion.target()));
            int length = target.schema().recordLength();
            long to = (portion.first() + portion.count()) * length;
            target.writer()
                    .append(target.batch().fill(portion.bytes(), 0, portion.count(), portion.first() * length, to));
            target.writer().coverUpTo(to);
            portions.removeFirst();
            records -= portion.count();
        }
        targets.values().forEach(target -> target.writer().flush());
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
    }
}
