package io.millrace.feed.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed.Poll;
import io.millrace.feed.FeedChangedException;
import io.millrace.feed.Player.Play;
import io.millrace.feed.Split;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class GeneratorFeedTest {

    private static final Schema TRADE = Schemas.builtIn().get("trade");
    private static final int BATCH = 100;
    /** One record would be due after a second. */
    private static final Play SLOW = new Play(1, false);

    private final RecordBatch batch = new RecordBatch(TRADE);

    private GeneratorFeed feed(long rate) {
        GeneratorFeed feed = new GeneratorFeed(TRADE, 7, 0, rate, BATCH, Split.WHOLE);
        feed.open(0);
        return feed;
    }

    /** Otherwise the test would take an hour. */
    @Test
    void shouldWaitForTheNextRecordOnly() {
        GeneratorFeed feed = feed(20);
        for (int i = 0; i < 5; i++) {
            while (feed.poll(batch, Duration.ofHours(1)) != Poll.RECORDS) {
                // the clock of the feed is rounded
            }
            assertThat(batch.selected()).isPositive();
        }
    }

    @Test
    void shouldRefuseToContinueWithAnotherSeedOrSchema() throws FeedChangedException {
        GeneratorFeed feed = feed(0);
        feed.verify(new GeneratorFeed(TRADE, 7, 10, 5, BATCH, Split.WHOLE).identity(39));
        Schema order = Schemas.builtIn().get("order");
        for (GeneratorFeed before : List.of(
                new GeneratorFeed(TRADE, 8, 0, 0, BATCH, Split.WHOLE),
                new GeneratorFeed(order, 7, 0, 0, BATCH, Split.WHOLE))) {
            assertThatExceptionOfType(FeedChangedException.class)
                    .isThrownBy(() -> feed.verify(before.identity(39)))
                    .withMessageContaining("The generator is configured as 'generator schema=trade/")
                    .withMessageContaining("was '" + before.identity(39) + "'");
        }
    }

    /** Each split has its stripes, also when it is opened anywhere; together they have all records. */
    @Test
    void shouldGenerateEachRecordInOneSplit() {
        int count = 100_000;
        byte[] expected = new byte[count * TRADE.recordLength()];
        RecordGenerator.of(TRADE, 7).fill(expected, 0, count);
        byte[] actual = new byte[expected.length];
        for (int i = 0; i < 3; i++) {
            GeneratorFeed feed = new GeneratorFeed(TRADE, 7, count, 0, BATCH, new Split(i, 3));
            long position = 0;
            feed.open(position);
            for (int polls = 1; feed.poll(batch, Duration.ZERO) == Poll.RECORDS; polls++) {
                System.arraycopy(
                        batch.bytes(),
                        batch.offset(0),
                        actual,
                        (int) batch.from(),
                        batch.count() * TRADE.recordLength());
                assertThat(batch.to() - batch.from()).isEqualTo((long) batch.count() * TRADE.recordLength());
                position = batch.to();
                if (polls % 10 == 0) {
                    feed.open(position);
                }
            }
            assertThat(feed.lag()).isZero();
            feed.open(0);
            assertThat(feed.lag()).isEqualTo(feed.taken(expected.length));
        }
        assertThat(actual).isEqualTo(expected);
    }

    @Test
    void shouldReportItsRate() {
        assertThat(feed(35_000).play()).isEqualTo(new Play(35_000, false));
    }

    @Test
    void shouldBringNothingWhilePaused() {
        GeneratorFeed feed = feed(0);
        assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.RECORDS);
        feed.play(new Play(0, true));
        for (int i = 0; i < 10; i++) {
            assertThat(feed.poll(batch, Duration.ofMillis(1))).isEqualTo(Poll.NOTHING_YET);
        }
        feed.play(new Play(0, false));
        assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.RECORDS);
        assertThat(batch.from()).isEqualTo((long) BATCH * TRADE.baseLength());
    }

    @Test
    void shouldNotCatchUpWithAnEarlierRate() {
        GeneratorFeed feed = feed(1_000_000_000);
        LockSupport.parkNanos(1_000_000);
        feed.play(SLOW);
        assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.NOTHING_YET);
    }

    @Test
    void shouldNotCatchUpWithAPause() {
        GeneratorFeed feed = feed(1);
        feed.play(new Play(1, true));
        assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.NOTHING_YET);
        LockSupport.parkNanos(1_100_000_000);
        feed.play(SLOW);
        assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.NOTHING_YET);
    }

    @Test
    void shouldGoOnFromNowAtAHigherRate() {
        GeneratorFeed feed = feed(1);
        feed.play(new Play(1_000_000_000, false));
        assertThat(feed.poll(batch, Duration.ofMillis(1))).isEqualTo(Poll.RECORDS);
        assertThat(batch.from()).isZero();
        assertThat(feed.poll(batch, Duration.ofMillis(1))).isEqualTo(Poll.RECORDS);
    }

    @Test
    void shouldBringTheSameRecordsWhateverItsRate() {
        GeneratorFeed steady = feed(0);
        GeneratorFeed changed = feed(0);
        steady.poll(batch, Duration.ZERO);
        steady.poll(batch, Duration.ZERO);
        byte[] second = Arrays.copyOf(batch.bytes(), BATCH * TRADE.baseLength());
        changed.poll(batch, Duration.ZERO);
        changed.play(new Play(0, true));
        changed.poll(batch, Duration.ZERO);
        changed.play(new Play(0, false));
        changed.poll(batch, Duration.ZERO);
        assertThat(Arrays.copyOf(batch.bytes(), BATCH * TRADE.baseLength())).isEqualTo(second);
    }

    @Test
    void shouldRefuseANegativeRate() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Play(-1, false))
                .withMessage("Invalid rate '-1'. Use 0 or more.");
    }
}
