package io.millrace.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.codec.ContentException;
import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed;
import io.millrace.feed.Feed.Piece;
import io.millrace.feed.Feed.Poll;
import io.millrace.feed.FeedChangedException;
import io.millrace.pipeline.step.Pauses;
import io.millrace.schema.yaml.Schemas;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryingFeedTest {

    private static final Duration WAIT = Duration.ofMillis(30);
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final List<String> calls = new ArrayList<>();
    private final Deque<IOException> failures = new ArrayDeque<>();
    private final Deque<Piece> pieces = new ArrayDeque<>();
    private final RecordBatch batch = new RecordBatch(Schemas.builtIn().get("trade"));
    private boolean replayable = true;
    private boolean stopping;
    private long nowNanos;

    private final RetryingFeed feed = new RetryingFeed(
            "trades",
            new Source(),
            new Pauses() {
                @Override
                public boolean pause(Duration time) {
                    if (!time.isZero()) {
                        calls.add("pause " + time.toMillis());
                    }
                    nowNanos += time.toNanos();
                    return stopping;
                }

                @Override
                public long nanoTime() {
                    return nowNanos;
                }
            },
            TIMEOUT);

    /** Has one record per poll, and fails where the test says so. */
    private final class Source implements Feed {

        private long start;
        private long position;

        private void call(String name) throws IOException {
            calls.add(name);
            if (!name.startsWith("close") && !failures.isEmpty()) {
                throw failures.removeFirst();
            }
        }

        @Override
        public void open(long from) throws IOException {
            call("open " + from);
            start = from;
            position = from;
        }

        @Override
        public Poll poll(RecordBatch records, Duration maxWait) throws IOException {
            call("poll " + position);
            if (!replayable) {
                return Poll.NOTHING_YET;
            }
            records.fill(new byte[39], 0, 1, position, position + 39);
            position += 39;
            return Poll.RECORDS;
        }

        @Override
        public @Nullable Piece takePiece() {
            return pieces.pollFirst();
        }

        @Override
        public String identity(long end) throws IOException {
            call("identity " + end);
            if (end < start) {
                throw new IllegalArgumentException("position " + end + " before " + start);
            }
            return "file " + end;
        }

        @Override
        public void verify(String identity) throws IOException {
            call("verify " + identity);
        }

        @Override
        public long lag() {
            return 0;
        }

        @Override
        public boolean replayable() {
            return replayable;
        }

        @Override
        public void close() throws IOException {
            call("close");
        }
    }

    private void failNext(int times) {
        for (int i = 0; i < times; i++) {
            failures.add(new IOException("Stale file handle"));
        }
    }

    private List<String> calls() {
        List<String> made = List.copyOf(calls);
        calls.clear();
        return made;
    }

    @Test
    void shouldContinueAtTheEndOfTheLastBatchWithTheSameSource() throws IOException {
        feed.open(0);
        assertThat(feed.poll(batch, WAIT)).isEqualTo(Poll.RECORDS);
        feed.identity(39);
        calls();

        failNext(1);
        assertThat(feed.poll(batch, WAIT)).isEqualTo(Poll.NOTHING_YET);
        assertThat(feed.failure()).isEqualTo("Stale file handle");
        assertThat(calls()).containsExactly("poll 39", "close");

        failNext(2);
        assertThat(feed.poll(batch, WAIT)).isEqualTo(Poll.RECORDS);
        assertThat(batch.from()).isEqualTo(39);
        assertThat(calls())
                .containsExactly(
                        "pause 100",
                        "verify file 39",
                        "close",
                        "pause 200",
                        "verify file 39",
                        "close",
                        "pause 400",
                        "verify file 39",
                        "open 39",
                        "poll 39");
        assertThat(feed.failure()).isNull();

        failNext(1);
        feed.poll(batch, WAIT);
        feed.poll(batch, WAIT);
        assertThat(calls()).contains("pause 100");
    }

    @Test
    void shouldRetryWithLongerPausesWhileItGetsNoFurther() throws IOException {
        feed.open(0);
        for (int i = 0; i < 3; i++) {
            feed.poll(batch, WAIT);
        }
        calls();
        failNext(1);
        feed.poll(batch, WAIT);
        for (int i = 0; i < 7; i++) {
            failures.add(new IOException("open"));
        }
        feed.poll(batch, WAIT);

        assertThat(calls().stream().filter(call -> call.startsWith("pause")))
                .containsExactly(
                        "pause 100",
                        "pause 200",
                        "pause 400",
                        "pause 800",
                        "pause 1600",
                        "pause 3200",
                        "pause 5000",
                        "pause 5000");
    }

    @Test
    void shouldRetryToOpenVerifyAndIdentify() throws IOException {
        failNext(1);
        feed.verify("file 78");
        assertThat(calls()).containsExactly("verify file 78", "close", "pause 100", "verify file 78");

        failNext(1);
        feed.open(78);
        assertThat(calls()).containsExactly("verify file 78", "close", "pause 200", "verify file 78", "open 78");

        failNext(1);
        assertThat(feed.identity(78)).isEqualTo("file 78");
        assertThat(calls())
                .containsExactly("identity 78", "close", "pause 400", "verify file 78", "open 78", "identity 78");
        assertThat(feed.failure()).isNull();
    }

    /** As when the second batch could not be processed, and the first one is committed. */
    @Test
    void shouldIdentifyAPositionBeforeTheLastBatch() throws IOException {
        feed.open(0);
        feed.identity(0);
        feed.poll(batch, WAIT);
        feed.poll(batch, WAIT);
        calls();
        failNext(2);
        assertThat(feed.identity(39)).isEqualTo("file 39");
        assertThat(calls())
                .containsExactly(
                        "identity 39",
                        "close",
                        "pause 100",
                        "verify file 0",
                        "close",
                        "pause 200",
                        "verify file 0",
                        "open 39",
                        "identity 39");
    }

    @Test
    void shouldFailOnceItCouldNotBeReadForTheTimeout() throws IOException {
        feed.open(0);
        feed.poll(batch, WAIT);
        failNext(1_000);
        assertThat(feed.poll(batch, WAIT)).isEqualTo(Poll.NOTHING_YET);
        long before = nowNanos;
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> feed.poll(batch, WAIT))
                .withMessage("The feed can't be read for 5m, 'millrace.feed-retry-timeout'")
                .withRootCauseInstanceOf(IOException.class);
        assertThat(nowNanos - before)
                .isBetween(TIMEOUT.toNanos(), TIMEOUT.plusSeconds(5).toNanos());
        assertThat(feed.failures().get()).isEqualTo(1_000 - failures.size());

        // A restart has the whole time again.
        feed.close();
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> feed.open(39));
        assertThat(nowNanos - before).isGreaterThan(2 * TIMEOUT.toNanos());
    }

    @Test
    void shouldFailAtOnceIfARetryCanNotHelp() throws IOException {
        for (IOException failure : List.of(
                new FeedChangedException("Another file."), new EOFException("short"), new ContentException("CSV"))) {
            feed.open(0);
            failures.add(failure);
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> feed.poll(batch, WAIT))
                    .isSameAs(failure);
            failures.add(failure);
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> feed.identity(0))
                    .isSameAs(failure);
            feed.close();
        }
        assertThat(calls()).noneMatch(call -> call.startsWith("pause"));
    }

    @Test
    void shouldFailIfTheSourceIsAnotherOneAfterAFailure() throws IOException {
        feed.open(0);
        feed.identity(0);
        failNext(1);
        feed.poll(batch, WAIT);
        failures.add(new FeedChangedException("Another file."));
        assertThatExceptionOfType(FeedChangedException.class).isThrownBy(() -> feed.poll(batch, WAIT));
    }

    @Test
    void shouldPollWithoutASourceThatHasNoPositions() throws IOException {
        replayable = false;
        feed.open(0);
        failNext(1);
        assertThat(feed.poll(batch, WAIT)).isEqualTo(Poll.NOTHING_YET);
        calls();
        for (int i = 0; i < 4; i++) {
            assertThat(feed.poll(batch, WAIT)).isEqualTo(Poll.NOTHING_YET);
        }
        assertThat(calls()).containsExactly("pause 30", "pause 30", "pause 30", "pause 10", "open 0", "poll 0");
        assertThat(feed.failure()).isNull();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndWithTheFailureIfThePipelineStops(boolean polls) throws IOException {
        feed.open(0);
        failNext(1);
        if (polls) {
            feed.poll(batch, WAIT);
        }
        stopping = true;
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> {
                    if (polls) {
                        feed.poll(batch, WAIT);
                    } else {
                        feed.identity(0);
                    }
                })
                .withMessage("Stale file handle");
    }

    @Test
    void shouldReturnAPieceOnceThoughItIsReadAgain() throws IOException {
        Piece first = Piece.incomplete(39, new byte[1], "first");
        Piece second = Piece.incomplete(40, new byte[1], "second");
        feed.open(0);
        pieces.add(first);
        assertThat(feed.takePiece()).isSameAs(first);
        assertThat(feed.takePiece()).isNull();
        pieces.add(first);
        pieces.add(second);
        assertThat(feed.takePiece()).isSameAs(second);
        feed.close();

        feed.open(0);
        pieces.add(first);
        assertThat(feed.takePiece()).isSameAs(first);
    }

    @Test
    void shouldCloseItsSourceOnce() throws IOException {
        feed.open(0);
        failNext(1);
        feed.poll(batch, WAIT);
        calls();
        feed.close();
        assertThat(calls()).isEmpty();
        feed.close();
        assertThat(calls()).containsExactly("close");
    }
}
