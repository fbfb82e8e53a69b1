package io.millrace.measure.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.measure.plan.Calls;
import io.millrace.measure.plan.Calls.Call;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.Plans;
import io.millrace.measure.plan.Window;
import io.millrace.measure.plan.Windows;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Event times at the ends of their range: a window holds them, or they are counted as failed. */
class ExtremeTimesTest {

    private static final Instant NOW = Instant.parse("2026-09-21T14:13:21Z");
    private static final BigInteger FIRST = BigInteger.valueOf(Long.MIN_VALUE + 1);
    private static final BigInteger LAST = BigInteger.valueOf(Long.MAX_VALUE);

    private static Call at(long time) {
        return new Call(time, 1, "A", null, null, false);
    }

    private static MeasurePlan plan(Windows windows, TimeUnit unit, long lateness) {
        return Plans.plan(
                Plans.definition(List.of(), Plans.values("calls", "count()"), windows, "time", lateness, 10),
                Calls.schema(unit));
    }

    private static long calls(MeasurePlan plan, Window window) {
        return window.count() == 0 ? 0 : (Long) plan.decode(window, 0).getOrDefault("calls", 0L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hours", "daily"})
    void shouldCountTheEarliestInstantAsFailedAndMeasureTheNextRecord(String kind) {
        Windows windows = kind.equals("daily")
                ? new Windows.Daily(LocalTime.MIDNIGHT, ZoneId.of("Europe/Istanbul"))
                : new Windows.Sliding(Duration.ofHours(1), 1);
        MeasurePlan plan = plan(windows, TimeUnit.MILLISECONDS, 0);
        Measure measure = new Measure(plan, InstantSource.fixed(NOW), _ -> {});

        measure.take(
                Calls.batch(
                        Calls.SCHEMA,
                        List.of(
                                at(Long.MIN_VALUE + 1),
                                at(Instant.parse("2026-09-21T14:13:20Z").toEpochMilli())),
                        0,
                        2),
                0);

        assertThat(measure.counts().failed().get()).isOne();
        assertThat(measure.counts().counted().get()).isOne();
        assertThat(measure.firstFailure())
                .startsWith("Invalid event time '-292275055-05-16T16:47:04.193Z'. Windows are within -292275055-05-1");
        assertThat(calls(plan, Objects.requireNonNull(measure.current(10)).window()))
                .isOne();
    }

    @Test
    void shouldNotCloseWindowsByATimeFarInTheFuture() {
        MeasurePlan plan = plan(new Windows.Sliding(Duration.ofHours(1), 1), TimeUnit.SECONDS, 0);
        List<Window> closed = new ArrayList<>();
        Measure measure = new Measure(plan, InstantSource.fixed(NOW), one -> closed.add(one.window()));
        List<Call> calls = List.of(
                at(NOW.getEpochSecond()),
                at(Long.MAX_VALUE),
                at(Long.MAX_VALUE / 1000),
                at(Long.MIN_VALUE + 1),
                at(NOW.getEpochSecond() - 1));

        measure.take(Calls.batch(Calls.schema(TimeUnit.SECONDS), calls, 0, calls.size()), 0);

        assertThat(closed).isEmpty();
        assertThat(measure.counts().ahead().get()).isEqualTo(2);
        assertThat(measure.counts().failed().get()).isOne();
        assertThat(measure.firstFailure()).startsWith("Invalid event time '-9223372036854775807 seconds since 1970'.");
        assertThat(measure.counts().counted().get()).isEqualTo(2);
    }

    /** The earliest instant in nanoseconds is in 1677, which has windows. */
    @ParameterizedTest
    @ValueSource(strings = {"", ", optional: true, absent: flag", ", optional: true, absent: 0"})
    void shouldMeasureTheEarliestInstantInNanoseconds(String absence) {
        Schema schema = SchemaReader.read("event.yml", """
                schema: event
                fields:
                  - { name: id,   type: i64 }
                  - { name: time, type: instant, unit: ns%s }
                """.formatted(absence).getBytes(StandardCharsets.UTF_8));
        boolean optional = !absence.isEmpty();
        byte[] bytes = new byte[4 * schema.recordLength()];
        for (int i = 0; i < 4; i++) {
            int at = i * schema.recordLength();
            RawBytes.putLong(bytes, at + 8, Long.MIN_VALUE);
            if (optional && i == 2) {
                RecordCodec.of(schema).codec("time").setValue(bytes, at, null);
            }
        }
        MeasurePlan plan = Plans.plan(
                Plans.definition(
                        List.of(),
                        Plans.values("calls", "count()"),
                        new Windows.Sliding(Duration.ofHours(1), 1),
                        "time",
                        0,
                        10),
                schema);
        Measure measure = new Measure(plan, InstantSource.fixed(NOW), _ -> {});

        measure.take(new RecordBatch(schema).fill(bytes, 0, 4, 0, bytes.length), 0);

        assertThat(measure.counts().failed().get()).isEqualTo(optional ? 1 : 0);
        assertThat(measure.firstFailure()).isEqualTo(optional ? "time has no result for an absent value" : null);
        assertThat(calls(plan, Objects.requireNonNull(measure.current(10)).window()))
                .isEqualTo(optional ? 3 : 4);
    }

    @Provide
    Arbitrary<Windows> windows() {
        return Arbitraries.oneOf(
                Arbitraries.of(1L, 333L, 10_000L, 3_600_000L, 7 * 86_400_000L, 36_500 * 86_400_000L)
                        .flatMap(every -> Arbitraries.of(1, 2, 7, 1000)
                                .map(panes -> new Windows.Sliding(Duration.ofMillis(every), panes))),
                Arbitraries.of("00:00", "02:30", "23:59")
                        .flatMap(reset -> Arbitraries.of("UTC", "Europe/Paris", "Pacific/Apia", "-18:00", "+18:00")
                                .map(zone -> new Windows.Daily(LocalTime.parse(reset), ZoneId.of(zone)))));
    }

    /** The windows that contain a time, by whole numbers of any size: their starts and ends. Null for days. */
    private static boolean hasWindows(BigInteger millis, Windows.Sliding windows) {
        BigInteger every = BigInteger.valueOf(windows.every().toMillis());
        BigInteger start = millis.subtract(millis.mod(every));
        BigInteger more = every.multiply(BigInteger.valueOf(windows.panes() - 1L));
        return start.subtract(more).compareTo(FIRST) >= 0
                && start.add(every).add(more).compareTo(LAST) <= 0;
    }

    /** By instants, which have a larger range than milliseconds of a long. */
    private static boolean hasWindows(BigInteger millis, Windows.Daily windows) {
        Instant time = Instant.ofEpochSecond(
                millis.divide(BigInteger.valueOf(1000)).longValueExact(),
                millis.remainder(BigInteger.valueOf(1000)).longValueExact() * 1_000_000);
        var day = time.atZone(windows.zone()).toLocalDate().plusDays(2);
        Instant end = start(windows, day);
        while (start(windows, day).isAfter(time)) {
            end = start(windows, day);
            day = day.minusDays(1);
        }
        return millis(start(windows, day)).compareTo(FIRST) >= 0 && millis(end).compareTo(LAST) <= 0;
    }

    private static Instant start(Windows.Daily windows, java.time.LocalDate day) {
        return day.atTime(windows.reset()).atZone(windows.zone()).toInstant();
    }

    private static BigInteger millis(Instant time) {
        return BigInteger.valueOf(time.getEpochSecond())
                .multiply(BigInteger.valueOf(1000))
                .add(BigInteger.valueOf(time.getNano() / 1_000_000));
    }

    private static BigInteger millis(long time, TimeUnit unit) {
        BigInteger value = BigInteger.valueOf(time);
        return switch (unit) {
            case SECONDS -> value.multiply(BigInteger.valueOf(1000));
            case MILLISECONDS -> value;
            case MICROSECONDS -> BigInteger.valueOf(Math.floorDiv(time, 1000L));
            default -> BigInteger.valueOf(Math.floorDiv(time, 1_000_000L));
        };
    }

    @Property(tries = 300)
    void shouldCountEachTimeInItsWindowsOrAsFailed(
            @ForAll long seed,
            @ForAll("windows") Windows windows,
            @ForAll @IntRange(max = 3) int unitIndex,
            @ForAll @IntRange(min = 1, max = 20) int batch) {
        TimeUnit unit = List.of(TimeUnit.SECONDS, TimeUnit.MILLISECONDS, TimeUnit.MICROSECONDS, TimeUnit.NANOSECONDS)
                .get(unitIndex);
        Random random = new Random(seed);
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            long bound = bound(random, windows, unit);
            long time = bound + (random.nextInt(5) - 2) * (1L << random.nextInt(40));
            calls.add(at(time == Long.MIN_VALUE ? time + 1 : time));
        }
        MeasurePlan plan = plan(windows, unit, 0).inAnyOrder();
        List<Window> closed = new ArrayList<>();
        Measure measure = new Measure(plan, InstantSource.fixed(NOW), one -> closed.add(one.window()));

        for (int from = 0; from < calls.size(); from += batch) {
            int to = Math.min(calls.size(), from + batch);
            measure.take(Calls.batch(Calls.schema(unit), calls, from, to), 0);
        }
        measure.end();

        Map<Long, Long> starts = new LinkedHashMap<>();
        long failed = 0;
        for (Call call : calls) {
            BigInteger millis = millis(Objects.requireNonNull(call.time()), unit);
            boolean held = windows instanceof Windows.Sliding sliding
                    ? hasWindows(millis, sliding)
                    : inLong(millis) && hasWindows(millis, (Windows.Daily) windows);
            if (held) {
                starts.merge(millis.longValueExact(), 1L, Long::sum);
            } else {
                failed++;
            }
        }
        assertThat(measure.counts().ahead().get()).isZero();
        assertThat(measure.counts().late().get()).isZero();
        assertThat(measure.counts().failed().get()).isEqualTo(failed);
        assertThat(measure.counts().counted().get()).isEqualTo(calls.size() - failed);
        for (Window window : closed) {
            long expected = starts.entrySet().stream()
                    .filter(time -> time.getKey() >= window.start() && time.getKey() < window.end())
                    .mapToLong(Map.Entry::getValue)
                    .sum();
            assertThat(calls(plan, window)).isEqualTo(expected).isPositive();
        }
        assertThat(closed.stream().mapToLong(window -> calls(plan, window)).sum())
                .isEqualTo(measure.counts().counted().get() * windows.panes());
        assertThat(measure.current(10)).isNull();
    }

    private static boolean inLong(BigInteger millis) {
        return millis.bitLength() < Long.SIZE;
    }

    private static long bound(Random random, Windows windows, TimeUnit unit) {
        long millis = switch (random.nextInt(5)) {
            case 0 -> windows.first();
            case 1 -> windows.last();
            case 2 -> Long.MIN_VALUE;
            case 3 -> Long.MAX_VALUE;
            default -> NOW.toEpochMilli();
        };
        return random.nextInt(4) == 0 ? millis : unit.convert(millis, TimeUnit.MILLISECONDS);
    }
}
