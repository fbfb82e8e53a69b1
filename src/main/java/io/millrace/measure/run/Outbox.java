package io.millrace.measure.run;

import io.millrace.codec.RecordBatch;
import io.millrace.measure.plan.AlertPlan;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.schema.Schema;
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
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Buffers the records that a measure has created and not yet written to their destinations. The position of a record is
 * derived from its number among all records that the measure has created for the region. The region therefore
 * recognizes a record that is written again after a restart. Not thread-safe.
 */
final class Outbox {

    /** The number of records that may wait for the next state. */
    private static final int WAITING_MAX = 100_000;

    private final Map<String, List<Destination>> destinations = new LinkedHashMap<>();
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

        /**
         * Begins a term.
         *
         * @param committed returns the position of a writer in the last commit
         */
        void open(Term term, ToLongFunction<String> committed);

        /**
         * Requires that it has not received other records under the numbers of new ones.
         *
         * @param first number of records created for it before
         * @throws IllegalStateException if it has
         */
        default void requireNew(long first) {}

        /** Adds the position of its writer if that is part of commits. */
        default void addPosition(Map<String, Long> positions) {}

        /**
         * Puts records, which replace those that were put under the same numbers. Does nothing if it has put them in
         * this term.
         *
         * @param first number of records created for it before
         */
        void put(long first, int count, byte[] bytes);

        /** Stores what was put. */
        void flush();

        /** Ends the block to which later records would be added. */
        void endBlock();

        /** Ends the term: releases what it uses. */
        void close();
    }

    /** A region or an output as a destination. */
    private static final class Records implements Destination {

        private final String name;
        private final RowWriters.Writer target;
        private final RegionWriter writer;
        private final RecordBatch batch;
        private long next;
        private long contained;

        Records(String name, RowWriters.Writer target, Schema schema) {
            this.name = name;
            this.target = target;
            this.writer = target.writer();
            this.batch = new RecordBatch(schema);
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public void open(Term term, ToLongFunction<String> committed) {
            next = 0;
            writer.open(term, target.output() ? committed.applyAsLong(target.name()) : 0);
            contained = target.output() ? writer.covered() : 0;
        }

        /**
         * An output contains only rows that a stored state has counted. So new rows have larger numbers, unless the
         * state was lost; the output would leave them out.
         */
        @Override
        public void requireNew(long first) {
            if (first * batch.schema().recordLength() < contained) {
                throw new IllegalStateException(
                        "'" + target.name() + "' contains rows of a state of the measure that no"
                                + " longer exists. To continue, move what the output has written away.");
            }
        }

        @Override
        public void addPosition(Map<String, Long> positions) {
            if (target.output()) {
                positions.put(target.name(), writer.covered());
            }
        }

        @Override
        public void put(long first, int count, byte[] bytes) {
            if (first < next) {
                return; // another destination of these records has failed since
            }
            int length = batch.schema().recordLength();
            long to = (first + count) * length;
            writer.append(batch.fill(bytes, 0, count, first * length, to));
            writer.advance(to);
            next = first + count;
        }

        @Override
        public void flush() {
            writer.flush();
        }

        @Override
        public void endBlock() {
            writer.endBlock();
        }

        @Override
        public void close() {
            writer.close();
        }
    }

    Outbox(List<Destination> destinations) {
        destinations.forEach(destination -> this.destinations
                .computeIfAbsent(destination.name(), _ -> new ArrayList<>())
                .add(destination));
    }

    private Stream<Destination> all() {
        return destinations.values().stream().flatMap(List::stream);
    }

    /** Returns an outbox for the rows and alerts of a measure. Ignores those that have no writer. */
    static Outbox of(MeasurePlan plan, RowWriters writers) {
        List<Destination> destinations = new ArrayList<>();
        writers.rows().forEach(writer -> destinations.add(new Records(Publisher.ROWS, writer, plan.rowSchema())));
        for (AlertPlan alert : plan.alerts()) {
            writers.alerts()
                    .getOrDefault(alert.name(), List.of())
                    .forEach(writer -> destinations.add(new Records(alert.name(), writer, alert.schema())));
        }
        return new Outbox(destinations);
    }

    /** Returns whether so many records wait that they should be delivered now. */
    boolean full() {
        return records > WAITING_MAX;
    }

    /** Discards what is in the buffer. */
    void clear() {
        portions.clear();
        records = 0;
        sealedPortions = 0;
    }

    /**
     * Begins a term of all destinations.
     *
     * @param committed returns the position of a writer in the last commit
     */
    void open(Term term, ToLongFunction<String> committed) {
        all().forEach(destination -> destination.open(term, committed));
    }

    /**
     * Buffers new records. Ignores records whose destination does not exist.
     *
     * @throws IllegalStateException if a destination has received others under their numbers
     */
    void add(String destination, long first, int count, byte[] bytes) {
        destinations.getOrDefault(destination, List.of()).forEach(one -> one.requireNew(first));
        buffer(destination, first, count, bytes);
    }

    private void buffer(String destination, long first, int count, byte[] bytes) {
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
                    .forEach(destination -> destination.put(portion.first(), portion.count(), portion.bytes()));
            portions.removeFirst();
            sealedPortions--;
            records -= portion.count();
        }
        all().forEach(Destination::flush);
    }

    /** Ends the blocks to which later records would be added. */
    void endBlocks() {
        all().forEach(Destination::endBlock);
    }

    /** Adds the positions of writers that are part of commits. */
    void addPositions(Map<String, Long> positions) {
        all().forEach(destination -> destination.addPosition(positions));
    }

    /** Ends the term. What is in the buffer and in no stored state is lost. */
    void close() {
        all().forEach(Destination::close);
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
            buffer(destination, first, count, bytes);
        }
        seal();
    }
}
