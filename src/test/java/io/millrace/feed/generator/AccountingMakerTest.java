package io.millrace.feed.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.tagged.TaggedFinder;
import io.millrace.feed.Feed.Poll;
import io.millrace.feed.Split;
import io.millrace.schema.ElementForm;
import io.millrace.schema.Schema;
import io.millrace.schema.TaggedLayout;
import io.millrace.schema.yaml.Schemas;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AccountingMakerTest {

    private static final Schema ACCOUNTING = Schemas.builtIn().get("radius-accounting");
    private static final int OPEN = 4096;

    @Test
    void shouldMakeSessionsThatStartReportAndStop() {
        List<Map<String, @Nullable Object>> events = events(0, 3 * OPEN);

        for (int i = 0; i < OPEN; i++) {
            Map<String, @Nullable Object> start = events.get(i);
            Map<String, @Nullable Object> interim = events.get(OPEN + i);
            Map<String, @Nullable Object> stop = events.get(2 * OPEN + i);
            assertThat(start).containsEntry("status", "Start").containsEntry("outputOctets", null);
            assertThat(interim).containsEntry("status", "Interim-Update").containsEntry("terminateCause", null);
            assertThat(stop).containsEntry("status", "Stop");
            for (String name : List.of("sessionId", "imsi", "msisdn", "nasIp", "rat", "network", "locationType")) {
                assertThat(interim).containsEntry(name, start.get(name));
                assertThat(stop)
                        .containsEntry(name, start.get(name))
                        .hasEntrySatisfying(name, value -> assertThat(value).isNotNull());
            }
        }
        assertThat(events.stream().map(event -> event.get("sessionId")).distinct())
                .hasSize(OPEN);
        assertThat(events.stream()
                        .collect(Collectors.groupingBy(
                                event -> String.valueOf(event.get("locationType")), Collectors.counting())))
                .containsOnlyKeys("CGI", "SAI", "ECGI");
        assertThat(events.stream().filter(event -> "Lost-Carrier".equals(event.get("terminateCause"))))
                .hasSizeBetween(1, OPEN / 20);
    }

    @Test
    void shouldReportHowLongASessionHasLasted() {
        List<Map<String, @Nullable Object>> events =
                events(DayCurve.EVENTS_A_DAY / 2 / (3 * OPEN) * (3L * OPEN), 3 * OPEN);

        for (int i = 0; i < 3 * OPEN; i++) {
            Instant start =
                    (Instant) Objects.requireNonNull(events.get(i % OPEN).get("time"));
            Instant now = (Instant) Objects.requireNonNull(events.get(i).get("time"));
            assertThat(events.get(i))
                    .containsEntry("sessionTime", i < OPEN ? null : now.getEpochSecond() - start.getEpochSecond());
        }
        assertThat((Long) events.getLast().get("sessionTime")).isBetween(10L, 60L);
    }

    @Test
    void shouldDropHalfOfTheSessionsOfABadCellForAWhile() {
        int tenOClock = eventAt("2014-11-08T08:00:00Z");
        int halfPastFive = eventAt("2014-11-08T15:30:00Z");

        assertThat(droppedShare(137, tenOClock, halfPastFive)).isBetween(0.4, 0.6);
        assertThat(droppedShare(137, halfPastFive, DayCurve.EVENTS_A_DAY)).isLessThan(0.05);
        assertThat(droppedShare(139, tenOClock, halfPastFive)).isLessThan(0.05);
        assertThat(droppedShare(2291, eventAt("2014-11-08T00:00:00Z"), eventAt("2014-11-08T03:30:00Z")))
                .isBetween(0.6, 1.0);
    }

    private static int eventAt(String time) {
        DayCurve curve = new DayCurve();
        int event = 0;
        long nanos = Instant.parse(time).getEpochSecond() * 1_000_000_000;
        for (int step = Integer.highestOneBit(DayCurve.EVENTS_A_DAY); step > 0; step >>= 1) {
            curve.moveTo(event + step);
            event += curve.epochNanos() <= nanos ? step : 0;
        }
        return event;
    }

    /** Of the sessions that end in a cell of 4G, from one event to another. */
    private static double droppedShare(int cell, int from, int to) {
        AccountingTemplate template = new AccountingTemplate();
        AccountingMaker maker = new AccountingMaker(34, OPEN);
        RecordBatch batch = new RecordBatch(ACCOUNTING);
        int ended = 0;
        int dropped = 0;
        int third = 3 * OPEN;
        for (int first = from / third * third + 2 * OPEN; first < to; first += third) { // only those that end
            maker.fill(batch, first, Math.min(OPEN, to - first));
            for (int i = 0; i < batch.count(); i++) {
                int at = batch.offset(i);
                if (batch.length(i) == template.length(2)
                        && RawBytes.getInt(batch.bytes(), at + template.location + 4) == cell) {
                    ended++;
                    dropped += RawBytes.getInt(batch.bytes(), at + template.terminateCause) == 2 ? 1 : 0;
                }
            }
        }
        return (double) dropped / ended;
    }

    @Test
    void shouldMakeTheSameInAnyPortions() {
        assertThat(events(5000, 100)).isEqualTo(events(4990, 110).subList(10, 110));
    }

    @Test
    void shouldGoOnFromAPosition() {
        RecordBatch batch = new RecordBatch(ACCOUNTING);
        try (GeneratorFeed feed = new GeneratorFeed(ACCOUNTING, 3, 120, 0, 64, Split.WHOLE)) {
            feed.open(100);
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.RECORDS);
            assertThat(batch.count()).isEqualTo(20);
            assertThat(batch.from()).isEqualTo(100);
            assertThat(batch.to()).isEqualTo(120);
            assertThat(batch.positionAfter(3)).isEqualTo(104);
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.END);
        }
    }

    @Test
    void shouldRefuseOtherTaggedSchemas() {
        Schema other = Schema.of("other", new TaggedLayout(0, ElementForm.RADIUS, List.of()), List.of());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GeneratorFeed(other, 1, 1, 0, 1, Split.WHOLE))
                .withMessage("Unable to generate records of schema 'other', of the tagged layout. Use a schema of the"
                        + " fixed layout, or radius-accounting.");
    }

    private static List<Map<String, @Nullable Object>> events(long first, int count) {
        RecordBatch batch = new RecordBatch(ACCOUNTING);
        new AccountingMaker(34, count).fill(batch, first, count);
        TaggedFinder finder = TaggedFinder.of(ACCOUNTING);
        finder.admit(batch, (_, _, reason) -> {
            throw new AssertionError(reason.detail());
        });
        assertThat(finder.malformed().get()).isZero();
        RecordCodec codec = RecordCodec.of(ACCOUNTING);
        List<Map<String, @Nullable Object>> events = new ArrayList<>();
        for (int i = 0; i < batch.selected(); i++) {
            events.add(codec.decode(batch.added(), batch.addedOffset(i)));
        }
        return events;
    }

    @Test
    void shouldMakeTheBytesThatASeedHasAlwaysMade() {
        GeneratorFeed feed = new GeneratorFeed(ACCOUNTING, 34, 4 * OPEN, 0, OPEN, Split.WHOLE);
        feed.open(0);
        RecordBatch batch = new RecordBatch(ACCOUNTING);
        CRC32C crc = new CRC32C();
        while (feed.poll(batch, Duration.ZERO) == Poll.RECORDS) {
            int last = batch.count() - 1;
            crc.update(batch.bytes(), batch.start(), batch.offset(last) + batch.length(last) - batch.start());
        }
        assertThat(crc.getValue()).isEqualTo(0xE845546L);
    }

    @Test
    void shouldWriteHexadecimalDigits() {
        Random random = new Random(1);
        for (int number : random.ints(1000).toArray()) {
            byte[] digits = new byte[Long.BYTES];
            RawBytes.putLong(digits, 0, AccountingMaker.hex(number));
            assertThat(new String(digits, StandardCharsets.US_ASCII))
                    .isEqualTo(HexFormat.of().toHexDigits(number));
        }
    }

    @Test
    void shouldWriteDecimalDigits() {
        for (int number = 0; number < 100_000_000; number += number < 1_000_000 ? 1 : 9973) {
            byte[] digits = new byte[Long.BYTES];
            RawBytes.putLong(digits, 0, AccountingMaker.digits(number));
            assertThat(Integer.parseInt(new String(digits, StandardCharsets.US_ASCII)))
                    .isEqualTo(number);
        }
    }
}
