package io.millrace.measure;

import io.millrace.codec.RecordBatch;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.Term;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Buffers the records that a measure has created and not yet written to their destinations. The position of a record is
 * derived from its number among all records that the measure has created for the region. The region therefore
 * recognizes a record that is written again after a restart. Not thread-safe.
 */
final class Outbox {

    /** The number of records that may wait for the next state. */
    private static final int WAITING_MAX = 100_000;

    private final Map<String, Destination> destinations = new LinkedHashMap<>();
    private final Deque<Portion> portions = new ArrayDeque<>();
    private int records;
    /** How many of the oldest portions the last {@linkplain #seal sealed} state contains. */
    private int sealedPortions;

    /**
     * Records for one destination.
     *
     * @param first number of records created for it before
     */
    private record Portion(String destination, long first, int count, byte[] bytes) {}

    /** A destination of records. Each method may throw {@link io.millrace.store.error.StoreException}. */
    interface Destination {

        /** Returns its name. */
        String name();

        /** Begins a term. */
        void open(Term term);

        /**
         * Puts records, which replace those that were put under the same numbers.
         *
         * @param first number of records created for it before
         */
        void put(long first, int count, byte[] bytes);

        /** Stores what was put. */
        void flush();

        /** Ends the block to which later records would be added. */
        void endBlock();
    }

    /**
     * A region as a destination.
     *
     * @param writer writer of the region
     * @param batch reused for all records
     */
    private record Records(String name, RegionWriter writer, RecordBatch batch) implements Destination {

        @Override
        public void open(Term term) {
            writer.open(term, 0);
        }

        @Override
        public void put(long first, int count, byte[] bytes) {
            int length = batch.schema().recordLength();
            long to = (first + count) * length;
            writer.append(batch.fill(bytes, 0, count, first * length, to));
            writer.coverUpTo(to);
        }

        @Override
        public void flush() {
            writer.flush();
        }

        @Override
        public void endBlock() {
            writer.endBlock();
        }
    }

    Outbox(List<Destination> destinations) {
        destinations.forEach(destination -> this.destinations.put(destination.name(), destination));
    }

    /** Returns an outbox for the rows and alerts of a measure. Ignores those that have no writer. */
    static Outbox of(MeasurePlan plan, @Nullable RegionWriter rows, List<@Nullable RegionWriter> alerts) {
        List<Destination> destinations = new ArrayList<>();
        if (rows != null) {
            destinations.add(new Records(Publisher.ROWS, rows, new RecordBatch(plan.rowSchema())));
        }
        for (int i = 0; i < alerts.size(); i++) {
            RegionWriter writer = alerts.get(i);
            AlertPlan alert = plan.alerts().get(i);
            if (writer != null) {
                destinations.add(new Records(alert.name(), writer, new RecordBatch(alert.schema())));
            }
        }
        return new Outbox(destinations);
    }

    /** Returns whether so many records wait that they should be delivered now. */
    boolean full() {
        return records > WAITING_MAX;
    }

    /** Begins a term with an empty buffer. */
    void open(Term term) {
        portions.clear();
        records = 0;
        sealedPortions = 0;
        destinations.values().forEach(destination -> destination.open(term));
    }

    /** Buffers records. Ignores records whose destination does not exist. */
    void add(String destination, long first, int count, byte[] bytes) {
        if (destinations.containsKey(destination)) {
            portions.add(new Portion(destination, first, count, bytes));
            records += count;
        }
    }

    /** Marks everything in the buffer as part of the state that is being stored, to be delivered after it. */
    void seal() {
        sealedPortions = portions.size();
    }

    /**
     * Writes the {@linkplain #seal sealed} records to their destinations. Records that were added since stay: until a
     * state contains them, a restart may compute them again with a different result.
     *
     * @throws io.millrace.store.error.StoreException if a write fails; the call can be retried
     */
    void deliver() {
        while (sealedPortions > 0) {
            Portion portion = portions.getFirst();
            Objects.requireNonNull(destinations.get(portion.destination()))
                    .put(portion.first(), portion.count(), portion.bytes());
            portions.removeFirst();
            sealedPortions--;
            records -= portion.count();
        }
        destinations.values().forEach(Destination::flush);
    }

    /** Ends the blocks to which later records would be added. */
    void endBlocks() {
        destinations.values().forEach(Destination::endBlock);
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(portions.size());
        for (Portion portion : portions) {
            out.writeUTF(portion.destination());
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
            String destination = in.readUTF();
            long first = in.readLong();
            int count = in.readInt();
            byte[] bytes = new byte[in.readInt()];
            in.readFully(bytes);
            add(destination, first, count, bytes);
        }
        seal();
    }
}
