package io.millrace.pipeline.shadow;

import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedContext;
import io.millrace.feed.FinalFeed;
import io.millrace.feed.Player;
import io.millrace.feed.Split;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.run.MeasureProcessor;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.schema.Schema;
import io.millrace.store.error.StoreException;
import io.millrace.store.query.Answer;
import io.millrace.store.query.Query;
import io.millrace.store.query.RegionQueries;
import io.millrace.store.region.StoredForms;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs two versions of the rules of a pipeline on recorded data, and compares their results: on all records of its
 * feed, from the beginning, or on those of a region. Nothing is stored. Used once. One thread runs it; any thread may
 * {@linkplain #cancel cancel} it.
 */
public final class Backtest {

    private static final int BATCH_RECORDS = 4096;
    /** Number of records on which rules with a step {@code unnest} run at once, since all that it makes is copied. */
    private static final int UNNESTED_RECORDS = 256;

    /** Maximum number of bytes of these copies. */
    private static final long MAX_MADE_BYTES = 512 << 20;

    private static final int PART_BYTES = 32 << 20;
    private static final Duration WAIT = Duration.ofMillis(100);

    private final PipelinePlan before;
    private final Candidate live;
    private final Candidate candidate;
    private final Comparison comparison;
    private final List<MeasureComparison> measures;
    private volatile @Nullable Answer<?> reading;
    private volatile boolean cancelled;
    private long incomplete;

    /** The order in which records are read. */
    public enum Order {
        /** That of the feed. */
        FEED,
        /** Any: a region does not know in which order its records came. */
        ANY
    }

    /**
     * Prepares a backtest.
     *
     * @param before rules of the pipeline
     * @param after other rules
     * @param regions returns the schema of the records that a region stores
     * @param by fields of the feed's records by which differences are counted
     * @param order in which records will be read; in any order, measures count records in the windows of their time,
     *     and none is late
     * @throws ShadowException if the feed can't be read again, or the rules can't be compared
     * @throws IllegalArgumentException if there is no field of such a name
     */
    public Backtest(
            PipelinePlan before, PipelinePlan after, Function<String, Schema> regions, List<String> by, Order order) {
        ComparableRules.require(before, after);
        this.before = before;
        Destinations destinations = Destinations.of(before, after);
        boolean copies = Writes.overwrite(before) || Writes.overwrite(after);
        this.measures = measures(before, after, order == Order.FEED);
        this.live = new Candidate(
                before, destinations, regions, MAX_MADE_BYTES, copies, false, processors(MeasureComparison::live));
        this.candidate = new Candidate(
                after, destinations, regions, MAX_MADE_BYTES, copies, false, processors(MeasureComparison::candidate));
        this.comparison = new Comparison(before, after, destinations, regions, by);
    }

    private static List<MeasureComparison> measures(PipelinePlan before, PipelinePlan after, boolean inOrder) {
        Map<String, MeasurePlan> others =
                after.measures().stream().collect(Collectors.toMap(MeasurePlan::name, Function.identity()));
        List<MeasureComparison> comparisons = new ArrayList<>();
        for (MeasurePlan measure : before.measures()) {
            MeasurePlan other = others.get(measure.name());
            if (other != null) {
                comparisons.add(new MeasureComparison(measure, other, inOrder));
            }
        }
        return List.copyOf(comparisons);
    }

    private Map<String, MeasureProcessor> processors(Function<MeasureComparison, MeasureProcessor> side) {
        return measures.stream()
                .filter(MeasureComparison::runs)
                .map(side)
                .collect(
                        Collectors.toMap(processor -> processor.measure().plan().name(), Function.identity()));
    }

    /** Receives how much of the feed is read. */
    @FunctionalInterface
    public interface ReadListener {

        /**
         * Called after each batch, by the thread that runs the backtest. Both numbers are records if the number of
         * records is limited, else bytes of the feed.
         */
        void read(long done, long total);
    }

    /**
     * Reads the feed to its end, or to the end of what is there.
     *
     * @param limit maximum number of records
     * @throws ShadowException if the feed can't be read again
     */
    public BacktestReport run(long limit) throws IOException {
        return run(limit, (_, _) -> {});
    }

    /**
     * Reads the feed to its end, or to the end of what is there.
     *
     * @param limit maximum number of records
     * @throws ShadowException if the feed can't be read again
     */
    public BacktestReport run(long limit, ReadListener listener) throws IOException {
        long start = System.nanoTime();
        long records = 0;
        try (Feed feed = FinalFeed.of(before.definition().feed())
                .create(new FeedContext(
                        before.schema(),
                        (int) Math.min(BATCH_RECORDS, Math.max(1, limit)),
                        Split.WHOLE,
                        Backtest::noTls))) {
            requireReplayable(feed);
            feed.open(0);
            if (limit == Long.MAX_VALUE && feed.lag() < 0) {
                throw new ShadowException("The feed of pipeline '" + before.name()
                        + "' has no end. Set a maximum number of records, with --records.");
            }
            RecordBatch batch = new RecordBatch(before.schema());
            long bytes = feed.lag();
            while (records < limit) {
                Feed.Poll poll = feed.poll(batch, WAIT);
                while (feed.takePiece() != null) {
                    incomplete++;
                }
                if (poll == Feed.Poll.RECORDS) {
                    batch.select((int) Math.min(batch.selected(), limit - records));
                    records += batch.selected();
                    compare(batch);
                    if (limit < Long.MAX_VALUE) {
                        listener.read(records, limit);
                    } else {
                        listener.read(bytes - feed.lag(), bytes);
                    }
                } else if (poll == Feed.Poll.END || feed.lag() <= 0) {
                    break;
                }
            }
        }
        return report(start);
    }

    /**
     * Reads the records of a region, as they are stored, without the fields that steps have added.
     *
     * @param region region that stores records of the pipeline's schema
     * @param where condition that its records must meet; null for all
     * @param limit maximum number of records
     * @param timeout maximum time for reading
     * @throws ShadowException if the region stores other records
     * @throws io.millrace.expression.error.ExpressionException if the condition is invalid
     * @throws StoreException if the region can't be read
     * @throws CancellationException if it was cancelled
     */
    public BacktestReport run(
            RegionQueries store, String region, @Nullable String where, long limit, Duration timeout) {
        long start = System.nanoTime();
        Schema stored = store.definition(region).schema();
        Schema records = before.schema().base();
        if (!stored.base().fingerprintHex().equals(records.fingerprintHex())) {
            throw new ShadowException("Region '" + region + "' stores records of schema '" + stored.name()
                    + "', pipeline '" + before.name() + "' reads those of '" + records.name() + "'.");
        }
        StoredRecordBuffer buffer =
                new StoredRecordBuffer(before.schema(), StoredForms.of(stored).prefixLength());
        Query query = new Query(where, List.of(), List.of(), limit);
        try (Answer<Boolean> answer = store.find(region, query, timeout, _ -> buffer::add, PART_BYTES)) {
            reading = answer;
            while (!cancelled && answer.next() != null) {
                if (buffer.isFull()) {
                    compare(buffer.take());
                }
            }
        } catch (StoreException e) {
            if (!cancelled) {
                throw e;
            }
        }
        if (cancelled) {
            throw new CancellationException("The backtest was cancelled.");
        }
        if (!buffer.isEmpty()) {
            compare(buffer.take());
        }
        return report(start);
    }

    /** Ends reading the records of a region, at the latest after the current partial scan. Does not wait. */
    public void cancel() {
        cancelled = true;
        Answer<?> answer = reading;
        if (answer != null) {
            answer.close();
        }
    }

    private static SslContext noTls(String bundle) {
        throw new IllegalStateException("A feed that can be read again has no connections.");
    }

    private void requireReplayable(Feed feed) {
        if (!feed.replayable()) {
            throw new ShadowException("The feed of pipeline '" + before.name()
                    + "' can't be read again. Use a configuration whose feed is a file.");
        }
        Player player = feed.player();
        if (player != null) {
            player.play(new Player.Play(0, false));
        }
    }

    private void compare(RecordBatch batch) {
        if (before.stages().size() == 1) {
            compareAtOnce(batch);
            return;
        }
        int[] all = Arrays.copyOf(batch.selection(), batch.selected());
        for (int from = 0; from < all.length; from += UNNESTED_RECORDS) {
            int count = Math.min(UNNESTED_RECORDS, all.length - from);
            System.arraycopy(all, from, batch.selection(), 0, count);
            batch.select(count);
            compareAtOnce(batch);
        }
    }

    private void compareAtOnce(RecordBatch batch) {
        live.run(batch);
        Results expected = live.results();
        requireRoom(batch, expected);
        candidate.run(batch);
        Results actual = candidate.results();
        requireRoom(batch, actual);
        comparison.compare(batch, expected, actual, candidate.admitted(), candidate.admittedCount());
        measures.forEach(MeasureComparison::limit);
    }

    private static void requireRoom(RecordBatch batch, Results results) {
        if (results.made().full()) {
            throw new ShadowException("Too many elements: the records that a step 'unnest' makes of " + batch.selected()
                    + " records take more than " + (MAX_MADE_BYTES >> 20)
                    + " MiB in memory. Exclude records with many elements: by 'where' for a region, or from the file.");
        }
    }

    private BacktestReport report(long start) {
        measures.forEach(MeasureComparison::end);
        return new BacktestReport(
                comparison.report(0, candidate.stepNanos(), live.stepNanos(), System.nanoTime() - start),
                measures.stream().map(MeasureComparison::report).toList());
    }

    /** Returns the number of pieces of the feed that were not records, which are not compared. */
    public long incomplete() {
        return incomplete;
    }
}
