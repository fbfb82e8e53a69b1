package io.millrace.measure.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.measure.plan.AlertDefinition;
import io.millrace.measure.plan.Calls;
import io.millrace.measure.plan.Calls.Call;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.Plans;
import io.millrace.measure.plan.Window;
import io.millrace.measure.plan.Windows;
import io.millrace.measure.window.Measure;
import io.millrace.measure.window.Model;
import io.millrace.measure.window.Model.By;
import io.millrace.measure.window.Model.Group;
import io.millrace.measure.window.Model.Pane;
import io.millrace.schema.Schema;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.StateStore;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterCounters;
import io.millrace.store.write.WriterName;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.apache.geode.cache.CacheFactory;
import org.apache.geode.cache.Region;
import org.jspecify.annotations.Nullable;

/** A measure whose pipeline dies again and again, anywhere, and goes on from the state last put. */
class RestartTest {

    private static final Instant NOW = Instant.parse("2026-03-29T12:00:00Z");
    private static final Windows WINDOWS = new Windows.Sliding(Duration.ofSeconds(10), 2);
    private static final int LATENESS = 7000;
    private static final int GROUPS = 9;
    private static final int CALLS = 1200;

    private static final MeasurePlan BY_TIME = plan("time", LATENESS, true);
    private static final MeasurePlan SLIDING = plan("time", LATENESS, false);
    private static final MeasurePlan BY_ARRIVAL = plan(null, 0, false);

    @SuppressWarnings("NullAway.Init")
    private static GeodeStore store;

    private static MeasurePlan plan(@Nullable String time, int lateness, boolean sketches) {
        Map<String, String> values = Plans.values(
                "calls", "count()",
                "cost", "sum(cost)",
                "share", "count(ended == 'dropped') / count()");
        if (sketches) {
            values.putAll(Plans.values("different", "distinct(volume)", "median", "quantile(volume, 0.5)"));
        }
        return Plans.plan(
                Plans.definition(
                        List.of("cell", "district"),
                        values,
                        WINDOWS,
                        time,
                        lateness,
                        GROUPS,
                        new AlertDefinition("bad", "share > 0.6 and calls > 1", "share < 0.3", 2, 1, List.of())),
                Calls.SCHEMA);
    }

    @BeforeContainer
    static void open() {
        store = new GeodeStore(GeodeOptions.inMemory());
        for (MeasurePlan plan : List.of(BY_TIME, SLIDING, BY_ARRIVAL)) {
            open(name("rows", plan), plan.rowSchema());
            open(name("alerts", plan), plan.alerts().getFirst().schema());
        }
    }

    private static void open(String region, Schema schema) {
        store.open(new RegionDefinition(region, Layout.BLOCKS, 0, false, schema, List.of(), 16));
    }

    private static String name(String what, MeasurePlan plan) {
        return what + (plan.equals(BY_TIME) ? "-by-time" : plan.equals(SLIDING) ? "-sliding" : "-by-arrival");
    }

    @AfterContainer
    static void close() {
        store.close();
    }

    private static final Term TERM = new Term(WriterName.of("calls", 0), false, 3, 1, "token");

    /** States that outlast a pipeline's lives, in a map; putting one fails now and then, and that is the end. */
    private static final class Mortal implements StateStore {
        private final Map<String, byte[]> kept = new HashMap<>();
        private int putsLeft = Integer.MAX_VALUE;

        @Override
        public byte @Nullable [] get(String key) {
            return kept.get(key);
        }

        @Override
        public void put(String key, byte[] value, Term term) {
            if (putsLeft-- <= 0) {
                throw new StoreException("died at key=" + key);
            }
            kept.put(key, value);
        }

        @Override
        public void remove(String key, Term term) {
            kept.remove(key);
        }

        @Override
        public boolean lasting() {
            return true;
        }
    }

    /** One pipeline through all its lives. */
    private static final class Pipeline {
        private final MeasurePlan plan;
        private final Random random;
        private final List<Call> calls;
        private final InstantSource clock;
        private final Mortal states = new Mortal();
        private int appendsLeft;

        Pipeline(MeasurePlan plan, Random random, List<Call> calls, InstantSource clock) {
            this.plan = plan;
            this.random = random;
            this.calls = calls;
            this.clock = clock;
            for (String what : List.of("rows", "alerts")) {
                Region<Long, byte[]> region = region(name(what, plan));
                region.removeAll(region.keySet());
            }
        }

        private MeasureProcessor keeper() {
            return new MeasureProcessor(
                    plan,
                    states,
                    "measure",
                    new RowWriters(
                            List.of(one("rows", plan.rowSchema())),
                            Map.of(
                                    "bad",
                                    List.of(one(
                                            "alerts", plan.alerts().getFirst().schema())))),
                    clock,
                    System::nanoTime);
        }

        private RowWriters.Writer one(String what, Schema schema) {
            return new RowWriters.Writer(what, writer(what, schema), false);
        }

        private RegionWriter writer(String what, Schema schema) {
            return new MortalWriter(
                    store.writer(name(what, plan), WriterName.of(what, 0), schema, (batch, ordinal, reason) -> {
                        throw new AssertionError(reason.toString());
                    }));
        }

        /** Brings no more rows to its region once the life's number of appends is used up. */
        private final class MortalWriter implements RegionWriter {
            private final RegionWriter writer;

            MortalWriter(RegionWriter writer) {
                this.writer = writer;
            }

            @Override
            public void open(Term term, long committed) {
                writer.open(term, committed);
            }

            @Override
            public long covered() {
                return writer.covered();
            }

            @Override
            public void append(RecordBatch batch) {
                if (appendsLeft-- <= 0) {
                    throw new StoreException("died before rows were appended");
                }
                writer.append(batch);
            }

            @Override
            public void advance(long position) {
                writer.advance(position);
            }

            @Override
            public void flush() {
                writer.flush();
            }

            @Override
            public void putProvisional(RecordBatch batch) {
                writer.putProvisional(batch);
            }

            @Override
            public Runnable prepare(Schema records) {
                return writer.prepare(records);
            }

            @Override
            public WriterCounters counters() {
                return writer.counters();
            }
        }

        /** Lives until all records are taken; gives the measure of the last life. */
        Measure run(int lives, int batchMax) {
            for (int life = 0; ; life++) {
                boolean last = life >= lives;
                states.putsLeft = last || random.nextBoolean() ? Integer.MAX_VALUE : random.nextInt(12);
                appendsLeft = last || random.nextBoolean() ? Integer.MAX_VALUE : random.nextInt(12);
                MeasureProcessor keeper = keeper();
                try {
                    keeper.open(TERM, RowWriters.NOT_COMMITTED);
                } catch (StoreException died) {
                    continue;
                }
                int covered = (int) (keeper.covered() / Calls.LENGTH);
                // Other regions of a pipeline may be covered less far.
                int from = random.nextBoolean() ? covered : random.nextInt(covered + 1);
                int batches = last || random.nextInt(3) == 0 ? Integer.MAX_VALUE : random.nextInt(25);
                try {
                    live(keeper, from, batches, batchMax);
                    if (last) {
                        keeper.end(0);
                    }
                    if (batches == Integer.MAX_VALUE || random.nextBoolean()) { // stopped, not killed
                        flush(keeper, true);
                    }
                } catch (StoreException died) {
                    continue;
                }
                if (last) {
                    return keeper.measure();
                }
            }
        }

        private void live(MeasureProcessor keeper, int first, int batches, int batchMax) {
            int from = first;
            for (int i = 0; i < batches && from < calls.size(); i++) {
                int to = Math.min(calls.size(), from + 1 + random.nextInt(batchMax));
                RecordBatch batch = Calls.batch(Calls.SCHEMA, calls, from, to);
                keeper.take(batch);
                keeper.advance((long) to * Calls.LENGTH);
                from = to;
                if (random.nextInt(4) == 0) {
                    flush(keeper, random.nextBoolean());
                }
            }
        }

        /** Flushes, and again after a failure that was not the end. */
        private void flush(MeasureProcessor keeper, boolean last) {
            try {
                keeper.flush(last);
            } catch (StoreException failed) {
                if (random.nextBoolean()) {
                    throw failed;
                }
                states.putsLeft = random.nextInt(12);
                appendsLeft = random.nextInt(12);
                keeper.flush(last);
            }
        }

        /** All rows that reached the region, in their order; read by hand as docs/reference/formats.md draws blocks. */
        List<Map<String, @Nullable Object>> stored(String what) {
            RecordCodec codec =
                    RecordCodec.of(store.definition(name(what, plan)).schema());
            Region<Long, byte[]> region = region(name(what, plan));
            List<Map<String, @Nullable Object>> rows = new ArrayList<>();
            for (long key : new TreeSet<>(region.keySet())) {
                byte[] block = Objects.requireNonNull(region.get(key));
                int count = ByteBuffer.wrap(block).getInt(32);
                for (int i = 0; i < count; i++) {
                    rows.add(codec.decode(block, 88 + i * codec.schema().recordLength()));
                }
            }
            return rows;
        }
    }

    private static Region<Long, byte[]> region(String name) {
        return CacheFactory.getAnyInstance().getRegion(name);
    }

    private static List<Call> calls(Random random) {
        List<Call> calls = new ArrayList<>();
        long time = NOW.toEpochMilli() - 1_000_000;
        for (int i = 0; i < CALLS; i++) {
            time += random.nextInt(800);
            calls.add(Calls.random(random, time, 8000, 5));
        }
        return calls;
    }

    @Property(tries = 150)
    void shouldReportEachWindowOnceWhateverWasKilled(
            @ForAll long seed,
            @ForAll boolean sliding,
            @ForAll @IntRange(max = 12) int lives,
            @ForAll @IntRange(min = 1, max = 60) int batch) {
        MeasurePlan plan = sliding ? SLIDING : BY_TIME;
        Random random = new Random(seed);
        List<Call> calls = calls(random);
        Model model = new Model(WINDOWS, LATENESS, GROUPS, NOW.toEpochMilli());
        calls.forEach(model::take);
        model.end();
        Pipeline pipeline = new Pipeline(plan, random, calls, InstantSource.fixed(NOW));

        Measure measure = pipeline.run(lives, batch);

        assertThat(measure.counts().counted().get()).isEqualTo(model.counted);
        assertThat(measure.counts().late().get()).isEqualTo(model.late).isPositive();
        assertThat(measure.counts().failed().get()).isEqualTo(model.failed);
        List<String> expected = new ArrayList<>();
        model.closed().forEach((end, window) -> rows(Instant.ofEpochMilli(end), window, expected));
        List<Map<String, @Nullable Object>> stored = pipeline.stored("rows");
        assertThat(stored).extracting(RestartTest::row).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(stored).isSortedAccordingTo(Comparator.comparing(row -> String.valueOf(row.get("end"))));
        assertThat(measure.current(10_000)).isNull();
        assertThat(pipeline.stored("alerts")).extracting(RestartTest::alert).containsExactlyElementsOf(alerts(stored));
    }

    static void rows(Instant end, Pane window, List<String> into) {
        for (Map.Entry<By, Group> group : window.groups.entrySet()) {
            into.add(row(end, group.getKey().cell(), group.getKey().district(), group.getValue()));
        }
        if (window.others.calls > 0) {
            into.add(row(end, null, null, window.others));
        }
    }

    private static String row(Instant end, @Nullable Integer cell, @Nullable String district, Group group) {
        return end + " " + cell + " " + district + " " + group.calls + " "
                + (group.costs > 0 && group.cost().unscaledValue().bitLength() < Long.SIZE
                        ? group.cost()
                        : "absent or wide");
    }

    static String row(Map<String, @Nullable Object> row) {
        Object cost = row.get("cost");
        return row.get("end") + " " + row.get("cell") + " " + row.get("district") + " " + row.get("calls") + " "
                + (cost instanceof BigDecimal sum && sum.unscaledValue().bitLength() < Long.SIZE
                        ? cost
                        : "absent or wide");
    }

    static String alert(Map<String, @Nullable Object> alert) {
        return alert.get("state") + " " + alert.get("since") + " " + alert.get("end") + " " + alert.get("cell") + " "
                + alert.get("district");
    }

    /** What alerts come of rows, worked out window by window: raised after two in a row, cleared after one. */
    static List<String> alerts(List<Map<String, @Nullable Object>> rows) {
        List<String> alerts = new ArrayList<>();
        Map<String, List<Map<String, @Nullable Object>>> byGroup = new HashMap<>();
        List<Instant> ends = rows.stream()
                .map(row -> (Instant) Objects.requireNonNull(row.get("end")))
                .distinct()
                .sorted()
                .toList();
        for (Map<String, @Nullable Object> row : rows) {
            if (Boolean.FALSE.equals(row.get("others"))) {
                byGroup.computeIfAbsent(row.get("cell") + " " + row.get("district"), ignored -> new ArrayList<>())
                        .add(row);
            }
        }
        Map<Instant, Map<Integer, String>> ordered = new TreeMap<>();
        byGroup.forEach((group, own) -> {
            Instant bad = null;
            Instant badEnd = null;
            boolean raised = false;
            for (Map<String, @Nullable Object> row : own) {
                Instant end = (Instant) Objects.requireNonNull(row.get("end"));
                double share = (Double) Objects.requireNonNull(row.get("share"));
                boolean when = share > 0.6 && (Long) Objects.requireNonNull(row.get("calls")) > 1;
                boolean before = badEnd != null && ends.indexOf(badEnd) == ends.indexOf(end) - 1;
                if (!raised) {
                    if (when && before) {
                        raised = true;
                        ordered.computeIfAbsent(end, ignored -> new TreeMap<>())
                                .put(rows.indexOf(row), "raised " + bad + " " + end + " " + group);
                    } else {
                        bad = when ? (Instant) row.get("start") : null;
                        badEnd = when ? end : null;
                    }
                } else if (share < 0.3) {
                    raised = false;
                    ordered.computeIfAbsent(end, ignored -> new TreeMap<>())
                            .put(rows.indexOf(row), "cleared " + bad + " " + end + " " + group);
                    bad = null;
                    badEnd = null;
                }
            }
        });
        ordered.values().forEach(ofEnd -> alerts.addAll(ofEnd.values()));
        return alerts;
    }

    @Property(tries = 100)
    void shouldCountEachRecordOnceWhereRecordsHappenWhenTheyCome(
            @ForAll long seed, @ForAll @IntRange(max = 12) int lives, @ForAll @IntRange(min = 1, max = 60) int batch) {
        Random random = new Random(seed);
        List<Call> calls = calls(random);
        long[] now = {NOW.toEpochMilli()};
        Pipeline pipeline =
                new Pipeline(BY_ARRIVAL, random, calls, () -> Instant.ofEpochMilli(now[0] += random.nextInt(1500)));

        Measure measure = pipeline.run(lives, batch);

        // Windows overlap by half: each record is in two, one of which may be open still.
        long inWindows = pipeline.stored("rows").stream()
                .mapToLong(row -> (Long) Objects.requireNonNull(row.get("calls")))
                .sum();
        now[0] += 100_000;
        measure.checkClock();
        long closedNow = measure.rows().windows().stream()
                .filter(window -> window.firstRow() >= pipeline.stored("rows").size())
                .mapToLong(window -> calls(measure.plan(), window))
                .sum();
        assertThat(inWindows + closedNow).isEqualTo(2L * CALLS);
        assertThat(measure.counts().counted().get()).isEqualTo(CALLS);
    }

    /** The first state has the window open: a restart from it would count more records in the same rows. */
    @Example
    void shouldWriteNoRowsOfAWindowThatHasClosedSinceTheStateThatIsStored() {
        Random random = new Random(1);
        List<Call> calls = calls(random).subList(0, 10);
        long[] now = {NOW.toEpochMilli()};
        Pipeline pipeline = new Pipeline(BY_ARRIVAL, random, calls, () -> Instant.ofEpochMilli(now[0]));
        pipeline.appendsLeft = Integer.MAX_VALUE;
        MeasureProcessor processor = pipeline.keeper();
        processor.open(TERM, RowWriters.NOT_COMMITTED);
        processor.take(Calls.batch(Calls.SCHEMA, calls, 0, calls.size()));
        pipeline.states.putsLeft = 0;
        assertThatThrownBy(() -> processor.flush(true)).isInstanceOf(StoreException.class);

        now[0] += 100_000;
        pipeline.states.putsLeft = 2; // a piece and the header
        assertThatThrownBy(() -> processor.flush(true)).isInstanceOf(StoreException.class);
        assertThat(processor.covered()).isEqualTo((long) calls.size() * Calls.LENGTH);
        assertThat(pipeline.stored("rows")).isEmpty();

        pipeline.states.putsLeft = Integer.MAX_VALUE;
        processor.flush(true);
        assertThat(pipeline.stored("rows").stream()
                        .mapToLong(row -> (Long) Objects.requireNonNull(row.get("calls")))
                        .sum())
                .isEqualTo(2L * calls.size());
    }

    private static long calls(MeasurePlan plan, Window window) {
        long calls = 0;
        for (int row = 0; row < window.count(); row++) {
            calls += (Long) Objects.requireNonNull(plan.decode(window, row).get("calls"));
        }
        return calls;
    }
}
