package io.millrace.measure.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.measure.plan.AlertDefinition;
import io.millrace.measure.plan.Calls;
import io.millrace.measure.plan.Calls.Call;
import io.millrace.measure.plan.MeasureDefinition;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.Plans;
import io.millrace.measure.plan.Windows;
import io.millrace.measure.window.MeasureCounts;
import io.millrace.measure.window.Model;
import io.millrace.measure.window.OpenWindow;
import io.millrace.schema.Schema;
import io.millrace.store.error.StoreException;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.StateStore;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterCounters;
import io.millrace.store.write.WriterName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;

/** A measure of a pipeline whose partitions run at any pace, and restart anywhere, against {@link Model}. */
class PartitionedMeasureTest {

    private static final Instant NOW = Instant.parse("2026-03-29T12:00:00Z");
    private static final long LATENESS = 7000;
    private static final int CALLS = 900;
    private static final int MANY = 1000;
    private static final long EXTENT = 3;
    /** Longer than the idle timeout. */
    private static final long IDLE_NANOS = 20_000_000_000L;

    private static MeasurePlan plan(int panes, @Nullable String time, int groups) {
        return Plans.plan(
                new MeasureDefinition(
                        "calls",
                        List.of("cell", "district"),
                        Plans.values(
                                "calls", "count()",
                                "cost", "sum(cost)",
                                "share", "count(ended == 'dropped') / count()"),
                        new Windows.Sliding(Duration.ofSeconds(10), panes),
                        time,
                        Duration.ofMillis(time == null ? 0 : LATENESS),
                        time == null ? null : Duration.ofSeconds(10),
                        groups,
                        List.of(),
                        0,
                        List.of(new AlertDefinition(
                                "bad", "share > 0.6 and calls > 1", "share < 0.3", 2, 1, List.of())),
                        List.of()),
                Calls.SCHEMA);
    }

    /** A store that fails now and then. */
    private static final class States implements StateStore {

        private final Map<String, byte[]> kept = new TreeMap<>();
        private int requestsLeft = Integer.MAX_VALUE;

        private void request() {
            if (requestsLeft-- <= 0) {
                throw new StoreException("does not answer");
            }
        }

        @Override
        public byte @Nullable [] get(String key) {
            request();
            byte[] value = kept.get(key);
            return value == null ? null : value.clone();
        }

        @Override
        public void put(String key, byte[] value, Term term) {
            request();
            kept.put(key, value.clone());
        }

        @Override
        public void remove(String key, Term term) {
            request();
            kept.remove(key);
        }

        @Override
        public boolean lasting() {
            return true;
        }
    }

    /** A region that requires that records which are written again are the same. */
    private static final class Rows implements RegionWriter {

        private final States states;
        private final RecordCodec codec;
        private final TreeMap<Long, byte[]> records = new TreeMap<>();

        Rows(States states, Schema schema) {
            this.states = states;
            this.codec = RecordCodec.of(schema);
        }

        @Override
        public void open(Term term, long committed) {
            // what is written again is compared
        }

        @Override
        public long covered() {
            return 0;
        }

        @Override
        public void append(RecordBatch batch) {
            states.request();
            int length = batch.schema().recordLength();
            for (int i = 0; i < batch.count(); i++) {
                byte[] record = Arrays.copyOfRange(batch.bytes(), batch.offset(i), batch.offset(i) + length);
                byte[] before = records.put(batch.from() + (long) i * length, record);
                assertThat(before == null ? record : before).isEqualTo(record);
            }
        }

        @Override
        public void advance(long position) {
            // each record is complete
        }

        @Override
        public void flush() {
            // each record is stored
        }

        @Override
        public void putProvisional(RecordBatch batch) {
            throw new AssertionError();
        }

        @Override
        public Runnable prepare(Schema schema) {
            throw new AssertionError();
        }

        @Override
        public WriterCounters counters() {
            throw new AssertionError();
        }

        private List<Map<String, @Nullable Object>> decoded() {
            long[] next = {0};
            return records.entrySet().stream()
                    .map(record -> {
                        assertThat(record.getKey()).isEqualTo(next[0]);
                        next[0] += record.getValue().length;
                        return codec.decode(record.getValue(), 0);
                    })
                    .toList();
        }
    }

    /** The partitions of a pipeline. */
    private static final class Pipeline {

        private final MeasurePlan plan;
        private final Random random;
        private final List<List<Call>> splits;
        private final InstantSource clock;
        private final States states = new States();
        private final Rows rows;
        private final Rows alerts;
        private final List<String> keys;
        private final MeasureProcessor[] processors;
        private final int[] taken;
        private final long[] nanos = {0};

        Pipeline(MeasurePlan plan, Random random, List<List<Call>> splits, InstantSource clock) {
            this.plan = plan;
            this.random = random;
            this.splits = splits;
            this.clock = clock;
            this.rows = new Rows(states, plan.rowSchema());
            this.alerts = new Rows(states, plan.alerts().getFirst().schema());
            this.keys = IntStream.range(0, splits.size())
                    .mapToObj(i -> name(i).part(plan.name()).text())
                    .toList();
            this.processors = new MeasureProcessor[splits.size()];
            this.taken = new int[splits.size()];
            for (int i = 0; i < splits.size(); i++) {
                create(i);
                processors[i].open(term(i), RowWriters.NOT_COMMITTED);
            }
        }

        private static WriterName name(int partition) {
            return WriterName.of("calls", partition);
        }

        private static Term term(int partition) {
            return new Term(name(partition), false, 3, 1, "token");
        }

        private void create(int partition) {
            processors[partition] = partition == 0
                    ? MeasureProcessor.first(
                            plan,
                            states,
                            keys,
                            new RowWriters(
                                    List.of(new RowWriters.Writer("rows", rows, false)),
                                    Map.of("bad", List.of(new RowWriters.Writer("alerts", alerts, false)))),
                            clock,
                            () -> nanos[0])
                    : MeasureProcessor.other(plan, states, keys.get(partition), clock, () -> nanos[0]);
        }

        /** Kills the process of a partition, and starts another one. */
        private void restart(int partition) {
            states.requestsLeft = Integer.MAX_VALUE;
            create(partition);
            processors[partition].open(term(partition), RowWriters.NOT_COMMITTED);
            int covered = (int) (processors[partition].covered() / Calls.LENGTH);
            // Other regions of a pipeline may be covered less far.
            taken[partition] = random.nextBoolean() ? covered : random.nextInt(covered + 1);
        }

        /** Does one thing in one of the partitions, which may fail. */
        void step(int batchMax) {
            int partition = random.nextInt(splits.size());
            nanos[0] += random.nextInt(3) * 500_000_000L;
            states.requestsLeft = random.nextInt(3) == 0 ? random.nextInt(12) : Integer.MAX_VALUE;
            try {
                switch (random.nextInt(12)) {
                    case 0 -> restart(partition);
                    case 1, 2, 3, 4 -> processors[partition].flush(random.nextInt(4) == 0);
                    default -> take(partition, batchMax);
                }
            } catch (StoreException failed) {
                if (random.nextBoolean()) {
                    restart(partition);
                }
            }
            states.requestsLeft = Integer.MAX_VALUE;
        }

        private void take(int partition, int batchMax) {
            List<Call> calls = splits.get(partition);
            int from = taken[partition];
            int to = Math.min(calls.size(), from + 1 + random.nextInt(batchMax));
            if (from < to) {
                processors[partition].take(Calls.batch(Calls.SCHEMA, calls, from, to));
                processors[partition].advance((long) to * Calls.LENGTH);
                taken[partition] = to;
            }
        }

        boolean hasTakenAll() {
            return IntStream.range(0, taken.length)
                    .allMatch(i -> taken[i] == splits.get(i).size());
        }

        RunningMeasure running() {
            return new RunningMeasure(List.of(processors));
        }

        /** Ends all partitions, one of which may be the last to say so. */
        void finish(boolean last) {
            List<Integer> order =
                    new ArrayList<>(IntStream.range(0, splits.size()).boxed().toList());
            java.util.Collections.shuffle(order, random);
            for (int partition : order) {
                if (last) {
                    processors[partition].end(EXTENT);
                } else {
                    processors[partition].pause(EXTENT);
                }
                flush(partition);
            }
            do {
                flush(0);
            } while (!running().merged());
        }

        /** Repeats it until the store answers, as a pipeline does. */
        private void flush(int partition) {
            for (boolean failed = true; failed; ) {
                states.requestsLeft = random.nextInt(2) == 0 ? random.nextInt(12) : Integer.MAX_VALUE;
                try {
                    processors[partition].flush(true);
                    failed = false;
                } catch (StoreException e) {
                    // once more
                }
            }
            states.requestsLeft = Integer.MAX_VALUE;
        }
    }

    private static List<List<Call>> splits(Random random, int partitions, int spread) {
        List<List<Call>> splits = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            splits.add(new ArrayList<>());
        }
        long time = NOW.toEpochMilli() - 1_000_000;
        int run = 1 + random.nextInt(40);
        for (int i = 0; i < CALLS; i++) {
            time += random.nextInt(800);
            splits.get(i / run % partitions).add(Calls.random(random, time, spread, 5));
        }
        return splits;
    }

    /** All calls that are not late within their partition, and the windows that they make. */
    private static Model expected(List<List<Call>> splits, Windows windows) {
        Model all = new Model(windows, Integer.MAX_VALUE, MANY, NOW.toEpochMilli());
        for (List<Call> split : splits) {
            Model own = new Model(windows, LATENESS, MANY, NOW.toEpochMilli());
            for (Call call : split) {
                long before = own.counted;
                own.take(call);
                if (own.counted > before) {
                    all.take(call);
                }
            }
            all.late += own.late;
            all.failed += own.failed;
        }
        return all;
    }

    @Property(tries = 150)
    void shouldMakeTheRowsOfAllRecordsOnce(
            @ForAll long seed,
            @ForAll @IntRange(min = 2, max = 5) int partitions,
            @ForAll @IntRange(min = 1, max = 3) int panes,
            @ForAll @IntRange(min = 1, max = 60) int batch,
            @ForAll boolean last) {
        Random random = new Random(seed);
        List<List<Call>> splits = splits(random, partitions, 8000);
        MeasurePlan plan = plan(panes, "time", MANY);
        Pipeline pipeline = new Pipeline(plan, random, splits, InstantSource.fixed(NOW));
        while (!pipeline.hasTakenAll()) {
            pipeline.step(batch);
        }
        pipeline.finish(last);

        Model model = expected(splits, plan.definition().windows());
        long closedUpTo = last
                ? Long.MAX_VALUE
                : splits.stream()
                                .flatMap(List::stream)
                                .map(Call::time)
                                .filter(Objects::nonNull)
                                .mapToLong(Long::longValue)
                                .max()
                                .orElseThrow()
                        - LATENESS;
        assertThat(pipeline.running().counts().late().get()).isEqualTo(model.late);
        assertThat(pipeline.running().counts().failed().get()).isEqualTo(model.failed);
        assertThat(pipeline.running().counts().counted().get()).isEqualTo(model.counted);
        model.end();
        List<String> expected = new ArrayList<>();
        model.closed()
                .headMap(closedUpTo == Long.MAX_VALUE ? closedUpTo : closedUpTo + 1)
                .forEach((end, window) -> RestartTest.rows(Instant.ofEpochMilli(end), window, expected));
        List<Map<String, @Nullable Object>> stored = pipeline.rows.decoded();
        assertThat(stored).extracting(RestartTest::row).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(pipeline.alerts.decoded())
                .extracting(RestartTest::alert)
                .containsExactlyElementsOf(RestartTest.alerts(stored));
        // The last of each partition.
        assertThat(pipeline.states.kept.keySet().stream().filter(key -> key.contains("/" + PaneLog.NAME + "/")))
                .hasSize(partitions);
        if (last) {
            assertThat(pipeline.running().current(10)).isNull();
        }
    }

    /** Windows do not wait for partitions from which nothing is expected; what comes of them then is late. */
    @Property(tries = 100)
    void shouldLoseNoRecordOfIdlePartitions(
            @ForAll long seed,
            @ForAll @IntRange(min = 2, max = 5) int partitions,
            @ForAll @IntRange(min = 1, max = 60) int batch,
            @ForAll @IntRange(min = 1, max = 40) int groups) {
        Random random = new Random(seed);
        List<List<Call>> splits = splits(random, partitions, 8000);
        MeasurePlan plan = plan(1, "time", groups);
        Pipeline pipeline = new Pipeline(plan, random, splits, InstantSource.fixed(NOW));
        while (!pipeline.hasTakenAll()) {
            pipeline.step(batch);
            if (random.nextInt(6) == 0) {
                pipeline.processors[random.nextInt(partitions)].idle(IDLE_NANOS);
            }
        }
        pipeline.finish(true);

        MeasureCounts counts = pipeline.running().counts();
        long inRows = pipeline.rows.decoded().stream()
                .mapToLong(row -> (Long) Objects.requireNonNull(row.get("calls")))
                .sum();
        assertThat(inRows + counts.late().get() + counts.failed().get()).isEqualTo(CALLS);
        assertThat(counts.counted().get())
                .isBetween(inRows, inRows + counts.late().get());
    }

    /** Without an event time, a window closes when the clock has passed its end in each partition. */
    @Property(tries = 100)
    void shouldCountRecordsWhenTheyArrive(
            @ForAll long seed,
            @ForAll @IntRange(min = 2, max = 5) int partitions,
            @ForAll @IntRange(min = 1, max = 60) int batch) {
        Random random = new Random(seed);
        List<List<Call>> splits = splits(random, partitions, 8000);
        MeasurePlan plan = plan(1, null, MANY);
        long[] now = {NOW.toEpochMilli()};
        Pipeline pipeline = new Pipeline(plan, random, splits, () -> Instant.ofEpochMilli(now[0]));
        while (!pipeline.hasTakenAll()) {
            pipeline.step(batch);
            now[0] += random.nextInt(1500);
        }
        now[0] += 20_000;
        pipeline.finish(true);

        RunningMeasure running = pipeline.running();
        assertThat(running.counts().counted().get()).isEqualTo(CALLS);
        List<Map<String, @Nullable Object>> rows = pipeline.rows.decoded();
        assertThat(rows.stream()
                        .mapToLong(row -> (Long) Objects.requireNonNull(row.get("calls")))
                        .sum())
                .isEqualTo(CALLS);
        Map<String, Integer> groups = new HashMap<>();
        rows.forEach(row ->
                groups.merge(row.get("end") + " " + row.get("cell") + " " + row.get("district"), 1, Integer::sum));
        assertThat(groups.values()).containsOnly(1);
    }

    /** The newest pane is open in all partitions. */
    @Property(tries = 100)
    void shouldShowTheOpenWindowOfAllPartitions(
            @ForAll long seed,
            @ForAll @IntRange(min = 2, max = 5) int partitions,
            @ForAll @IntRange(min = 1, max = 20) int limit) {
        Random random = new Random(seed);
        List<List<Call>> splits = splits(random, partitions, 10);
        MeasurePlan plan = plan(1, "time", MANY);
        Pipeline pipeline = new Pipeline(plan, random, splits, InstantSource.fixed(NOW));
        for (int i = 0; i < partitions; i++) {
            while (pipeline.taken[i] < splits.get(i).size()) {
                pipeline.take(i, 50);
            }
            if (random.nextBoolean()) {
                pipeline.processors[i].flush(true);
            }
        }
        Model model = new Model(plan.definition().windows(), Integer.MAX_VALUE, MANY, NOW.toEpochMilli());
        splits.forEach(split -> split.forEach(model::take));
        List<String> expected = new ArrayList<>();
        long end = Objects.requireNonNull(model.currentEnd());
        RestartTest.rows(Instant.ofEpochMilli(end), model.current(), expected);

        OpenWindow all = Objects.requireNonNull(pipeline.running().current(MANY));
        assertThat(all.groups()).isEqualTo(expected.size());
        assertThat(rows(plan, all)).containsExactlyInAnyOrderElementsOf(expected);
        OpenWindow some = Objects.requireNonNull(pipeline.running().current(limit));
        assertThat(some.window().count()).isEqualTo(Math.min(limit, expected.size()));
        assertThat(rows(plan, some)).isSubsetOf(expected);
    }

    private static List<String> rows(MeasurePlan plan, OpenWindow open) {
        return IntStream.range(0, open.window().count())
                .mapToObj(row -> RestartTest.row(plan.decode(open.window(), row)))
                .toList();
    }

    /** A partition that is far ahead costs storage, not memory of the partition that merges. */
    @Example
    void shouldNotReadEntriesBeforeTheyAreNeeded() {
        Random random = new Random(1);
        List<List<Call>> splits = splits(random, 2, 10);
        Pipeline pipeline = new Pipeline(plan(1, "time", MANY), random, splits, InstantSource.fixed(NOW));
        while (pipeline.taken[1] < splits.get(1).size()) {
            pipeline.take(1, 20);
            pipeline.processors[1].flush(true);
        }
        long entries = pipeline.states.kept.size();
        pipeline.processors[0].flush(true);

        assertThat(pipeline.states.kept.keySet().stream().filter(key -> key.contains("/1/closed/")))
                .hasSizeGreaterThan(10);
        assertThat(pipeline.states.kept.size()).isBetween((int) entries, (int) entries + 3);
        assertThat(pipeline.rows.records).isEmpty();
    }

    /** What an idle partition has sent since is read before windows close without it. */
    @Example
    void shouldReadWhatFollowsTheIdleTimeOfAPartition() {
        Random random = new Random(1);
        List<List<Call>> splits = splits(random, 2, 10);
        Pipeline pipeline = new Pipeline(plan(1, "time", MANY), random, splits, InstantSource.fixed(NOW));
        for (int i = 0; pipeline.taken[1] < splits.get(1).size(); i++) {
            pipeline.take(1, 20);
            if (i == 3) {
                pipeline.processors[1].idle(IDLE_NANOS);
            }
            pipeline.processors[1].flush(true);
        }
        while (pipeline.taken[0] < splits.get(0).size()) {
            pipeline.take(0, 20);
            pipeline.processors[0].flush(true);
        }
        pipeline.finish(true);

        assertThat(pipeline.running().counts().late().get()).isZero();
    }

    /** The first partition that continues does not close windows for those that have not looked yet. */
    @Example
    void shouldWaitForAllPartitionsWhenAFeedHasGrown() {
        Random random = new Random(1);
        List<List<Call>> splits = splits(random, 3, 10);
        Pipeline pipeline = new Pipeline(plan(1, "time", MANY), random, splits, InstantSource.fixed(NOW));
        for (int partition = 0; partition < 3; partition++) {
            pipeline.take(partition, 20);
            pipeline.processors[partition].end(1);
            pipeline.processors[partition].flush(true);
        }
        for (int partition : new int[] {2, 0, 1}) {
            while (pipeline.taken[partition] < splits.get(partition).size()) {
                pipeline.take(partition, 20);
            }
            pipeline.processors[partition].end(2);
            pipeline.processors[partition].flush(true);
            pipeline.processors[0].flush(true);
        }
        pipeline.finish(true);

        assertThat(pipeline.running().counts().late().get()).isZero();
    }

    /** A process ends while it removes an entry of several pieces. */
    @Example
    void shouldRemoveTheRestOfAnEntry() {
        States states = new States();
        PaneLog log = new PaneLog(states, "calls#calls/1");
        log.open(Pipeline.term(0), RowWriters.NOT_COMMITTED);
        byte[] entry = new byte[3 * StateStore.MAX_VALUE_BYTES];
        new Random(1).nextBytes(entry);
        log.put(7, 1, entry);
        assertThat(log.get(7)).isEqualTo(entry);
        states.requestsLeft = 2;
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> log.remove(7));
        states.requestsLeft = Integer.MAX_VALUE;

        assertThat(log.contains(7)).isTrue();
        log.remove(7);
        assertThat(log.contains(7)).isFalse();
        assertThat(states.kept).isEmpty();
    }
}
