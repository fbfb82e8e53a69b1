package io.millrace.measure.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.measure.plan.Calls;
import io.millrace.measure.plan.Calls.Call;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.Plans;
import io.millrace.measure.plan.Window;
import io.millrace.measure.plan.Windows;
import io.millrace.measure.window.Model.By;
import io.millrace.measure.window.Model.Group;
import io.millrace.measure.window.Model.Pane;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random calls through random windows, against {@link Model}. */
class MeasureModelTest {

    private static final long NOW = Instant.parse("2026-03-29T12:00:00Z").toEpochMilli();

    private static final Map<String, String> VALUES = Plans.values(
            "calls", "count()",
            "dropped", "count(ended == 'dropped')",
            "share", "count(ended == 'dropped') / count()",
            "cost", "sum(cost)",
            "least", "min(cost)",
            "most", "max(cost)",
            "mean", "avg(cost)",
            "volume", "sum(volume)",
            "perSecond", "rate()",
            "different", "distinct(volume)",
            "median", "quantile(volume, 0.5)");

    /** Those that can be taken away again when a window slides. */
    private static final Set<String> REVERSIBLE = Set.of("calls", "dropped", "share", "cost", "mean", "perSecond");

    private static MeasurePlan plan(boolean reversible, Windows windows, long lateness, int groups) {
        Map<String, String> values = new LinkedHashMap<>(VALUES);
        if (reversible) {
            values.keySet().retainAll(REVERSIBLE);
        }
        MeasurePlan plan = Plans.plan(
                Plans.definition(List.of("cell", "district"), values, windows, "time", lateness, groups), Calls.SCHEMA);
        assertThat(Slide.suits(plan)).isEqualTo(reversible && windows.panes() > 1);
        return plan;
    }

    @Provide
    Arbitrary<Windows> windows() {
        return Arbitraries.oneOf(
                Arbitraries.integers().between(1, 5).map(panes -> new Windows.Sliding(Duration.ofSeconds(10), panes)),
                Arbitraries.integers().between(1, 3).map(panes -> new Windows.Sliding(Duration.ofMillis(333), panes)),
                Arbitraries.of("00:00", "02:30", "17:45")
                        .map(reset -> new Windows.Daily(LocalTime.parse(reset), ZoneId.of("Europe/Paris"))));
    }

    @Property(tries = 200)
    void shouldReportOfEachWindowWhatAPlainLoopReports(
            @ForAll long seed,
            @ForAll boolean reversible,
            @ForAll("windows") Windows windows,
            @ForAll @IntRange(max = 25_000) int lateness,
            @ForAll @IntRange(min = 1, max = 40) int groups,
            @ForAll @IntRange(min = 1, max = 300) int batch,
            @ForAll @IntRange(max = 30) int endsAfter,
            @ForAll @IntRange(min = 1, max = 40) int limit) {
        Random random = new Random(seed);
        List<Call> calls = calls(random, windows instanceof Windows.Daily ? 600_000 : 500);
        Model model = new Model(windows, lateness, groups, NOW);
        List<Window> closed = new ArrayList<>();
        MeasurePlan plan = plan(reversible, windows, lateness, groups);
        Measure measure =
                new Measure(plan, InstantSource.fixed(Instant.ofEpochMilli(NOW)), one -> closed.add(one.window()));

        try (var _ = Readers.of(measure, limit)) {
            for (int from = 0; from < calls.size(); from += batch) {
                int to = Math.min(calls.size(), from + batch);
                measure.take(Calls.batch(Calls.SCHEMA, calls, from, to), 0);
                calls.subList(from, to).forEach(model::take);
                if (endsAfter > 0 && from / batch % endsAfter == 0) {
                    measure.end();
                    model.end();
                }
            }
        }

        assertThat(measure.counts().counted().get()).isEqualTo(model.counted);
        assertThat(measure.counts().late().get()).isEqualTo(model.late);
        assertThat(measure.counts().ahead().get()).isEqualTo(model.ahead);
        assertThat(measure.counts().failed().get()).isEqualTo(model.failed);
        Map<Long, Pane> expected = model.closed();
        assertThat(closed).extracting(Window::end).containsExactlyElementsOf(expected.keySet());
        closed.forEach(window -> requireSame(plan, window, Objects.requireNonNull(expected.get(window.end())), true));
        OpenWindow current = measure.current(10_000);
        assertThat(current == null).isEqualTo(model.currentEnd() == null);
        if (current != null) {
            assertThat(current.window().end()).isEqualTo(model.currentEnd());
            assertThat(current.groups()).isEqualTo(current.window().count());
            requireSame(plan, current.window(), model.current(), false);
            requireFirst(plan, current.window(), Objects.requireNonNull(measure.current(limit)), limit);
            // As where a window has too many groups to put it together.
            requireFirst(plan, current.window(), Objects.requireNonNull(measure.current(limit, 1)), 1);
            requireFirst(plan, current.window(), Objects.requireNonNull(measure.current(limit, 200)), 1);
        }
        long rows = 0;
        for (Window window : closed) {
            assertThat(window.firstRow()).isEqualTo(rows);
            rows += window.count();
        }
    }

    private static void requireFirst(MeasurePlan plan, Window all, OpenWindow first, int least) {
        assertThat(first.window().count()).isBetween(Math.min(least, all.count()), all.count());
        for (int row = 0; row < Math.min(least, all.count()); row++) {
            assertThat(plan.decode(first.window(), row)).isEqualTo(plan.decode(all, row));
        }
    }

    private static List<Call> calls(Random random, int pace) {
        List<Call> calls = new ArrayList<>();
        long time = NOW - 1500L * pace;
        int spread = pace * (1 + random.nextInt(40));
        for (int i = 0; i < 1500; i++) {
            time += random.nextInt(400) == 0 ? 100L * pace : random.nextInt(pace);
            calls.add(Calls.random(random, time, spread, 12));
        }
        return calls;
    }

    private static void requireSame(MeasurePlan plan, Window window, Pane expected, boolean closed) {
        Map<List<@Nullable Object>, Group> groups = new HashMap<>();
        expected.groups.forEach((by, group) -> {
            Integer cell = by.cell();
            groups.put(Arrays.asList(cell == null ? null : (long) cell, by.district()), group);
        });
        for (int row = 0; row < window.count(); row++) {
            Map<String, @Nullable Object> reported = plan.decode(window, row);
            assertThat(reported)
                    .containsEntry("start", Instant.ofEpochMilli(window.start()))
                    .containsEntry("end", Instant.ofEpochMilli(window.end()));
            boolean others = row == window.count() - 1 && expected.others.calls > 0;
            assertThat(reported).containsEntry("others", others);
            if (others) {
                assertThat(reported).containsEntry("cell", null).containsEntry("district", null);
                requireSame(reported, expected.others, window, closed);
            } else {
                Group group = groups.remove(Arrays.asList(reported.get("cell"), reported.get("district")));
                requireSame(reported, Objects.requireNonNull(group), window, closed);
            }
        }
        assertThat(groups).isEmpty();
    }

    private static void requireSame(
            Map<String, @Nullable Object> reported, Group group, Window window, boolean closed) {
        assertThat(reported)
                .containsEntry("calls", group.calls)
                .containsEntry("dropped", group.dropped)
                .containsEntry("share", (double) group.dropped / group.calls)
                .containsEntry("cost", group.costs == 0 ? null : group.cost());
        if (group.costs == 0) {
            assertThat(reported).containsEntry("mean", null);
        } else {
            double mean = group.cents.doubleValue() / 100 / group.costs;
            assertThat((Double) reported.get("mean")).isCloseTo(mean, Offset.offset(Math.abs(mean) * 1e-12));
        }
        double longest = (window.end() - window.start()) / 1000.0;
        double shortest = closed ? longest : Math.min(1, longest);
        assertThat((Double) reported.get("perSecond")).isBetween(group.calls / longest, group.calls / shortest);
        if (reported.containsKey("median")) {
            requireSame(reported, group);
        }
    }

    private static void requireSame(Map<String, @Nullable Object> reported, Group group) {
        assertThat(reported)
                .containsEntry("least", group.least == null ? null : BigDecimal.valueOf(group.least, 2))
                .containsEntry("most", group.most == null ? null : BigDecimal.valueOf(group.most, 2))
                .containsEntry(
                        "volume",
                        group.volumes.isEmpty()
                                ? null
                                : group.volumes.stream()
                                        .mapToDouble(Double::doubleValue)
                                        .sum());
        long different = group.volumes.stream().distinct().count();
        assertThat((Long) reported.get("different"))
                .isBetween((long) (different * 0.85), (long) (different * 1.15) + 1);
        if (group.volumes.isEmpty()) {
            assertThat(reported).containsEntry("median", null);
        } else {
            Double median = (Double) Objects.requireNonNull(reported.get("median"));
            double below =
                    group.volumes.stream().filter(volume -> volume < median).count();
            double upTo =
                    group.volumes.stream().filter(volume -> volume <= median).count();
            assertThat(below / group.volumes.size()).isLessThanOrEqualTo(0.53);
            assertThat(upTo / group.volumes.size()).isGreaterThanOrEqualTo(0.47);
        }
    }

    /** The random calls would prove little if none were late, past the limit or absent. */
    @Test
    void shouldMeetAllThatCanHappen() {
        Windows windows = new Windows.Sliding(Duration.ofSeconds(10), 3);
        Model model = new Model(windows, 5000, 20, NOW);
        calls(new Random(1), 500).forEach(model::take);

        assertThat(model.late).isPositive();
        assertThat(model.ahead).isZero();
        assertThat(model.failed).isPositive();
        assertThat(model.closed().values())
                .anySatisfy(window -> assertThat(window.others.calls).isPositive())
                .anySatisfy(window ->
                        assertThat(window.groups.keySet()).extracting(By::cell).containsNull());
    }
}
