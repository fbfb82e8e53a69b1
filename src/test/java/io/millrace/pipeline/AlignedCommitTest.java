package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.feed.Feed;
import io.millrace.pipeline.step.Pauses;
import io.millrace.pipeline.step.Retry;
import io.millrace.store.Rejects;
import io.millrace.store.Trades;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.query.Query;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.reject.RejectBatch;
import io.millrace.store.write.Commit;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * A pipeline whose blocks grow beyond its commits: if it is killed and continues with a later version of the schema,
 * its regions go back to a position at which all of their blocks ended.
 */
class AlignedCommitTest {

    private static final int RECORDS = 600;
    private static final byte[] FEED = Trades.feed(RECORDS);
    private static final RejectSink NONE = (_, _, reason) -> {
        throw new AssertionError(reason.toString());
    };

    @SuppressWarnings("NullAway.Init")
    private static GeodeStore store;

    private static int pipelines;
    private static int straddled;

    @BeforeContainer
    static void open() {
        store = new GeodeStore(GeodeOptions.inMemory());
        store.open(region("all", 64));
        store.open(region("some", 40));
        store.open(Rejects.region("rejects", false));
    }

    private static RegionDefinition region(String name, int blockRecords) {
        return new RegionDefinition(name, Layout.BLOCKS, 0, false, Trades.SCHEMA, List.of("desk"), blockRecords);
    }

    @AfterContainer
    static void close() {
        store.close();
        assertThat(straddled).isPositive();
    }

    @Property(tries = 120)
    void shouldHoldEachRecordOnceWhenALaterVersionTakesRecordsAgain(@ForAll long seed) throws IOException {
        Random random = new Random(seed);
        String pipeline = "aligned-" + pipelines++;
        WriterName name = WriterName.of(pipeline, 0);
        Map<String, Integer> before = new HashMap<>();
        List.of("all", "some").forEach(region -> before.put(region, ids(region).size()));
        int lives = 1 + random.nextInt(6);
        long version = 1;
        for (int life = 1; life <= lives; life++) {
            Run run = new Run(pipeline);
            Term term = Objects.requireNonNull(store.claim(name, false).term());
            Commit last = store.commits(false).get(name);
            version += random.nextInt(3) == 0 ? 0 : 1;
            long start = run.open(term, version);
            if (last != null && !last.clean() && version != last.version()) {
                assertThat(start).isEqualTo(last.aligned());
                straddled += last.aligned() > 0 && last.aligned() < last.position() ? 1 : 0;
            }
            run.read(random, start, life == lives ? RECORDS : random.nextInt(RECORDS));
            if (life == lives || random.nextInt(4) == 0) {
                run.output.flush(true, true, run.feed);
            }
            run.output.close();
        }
        assertThat(ids("all")
                        .subList(
                                Objects.requireNonNull(before.get("all")),
                                ids("all").size()))
                .isEqualTo(ids(1));
        assertThat(ids("some")
                        .subList(
                                Objects.requireNonNull(before.get("some")),
                                ids("some").size()))
                .isEqualTo(ids(3));
    }

    private static List<Long> ids(int step) {
        return LongStream.range(0, RECORDS).filter(id -> id % step == 0).boxed().toList();
    }

    /** In the order of the blocks: those of later writers have larger keys. */
    private static List<Long> ids(String region) {
        List<Long> ids = new ArrayList<>();
        Query all = new Query(null, List.of("id"), List.of(), Query.UNLIMITED);
        try (var records = store.find(region, all, Duration.ofMinutes(1)).stream()) {
            records.forEach(record -> ids.add((Long) Objects.requireNonNull(record.get("id"))));
        }
        return ids;
    }

    /** One process of the pipeline. */
    private static final class Run {

        private final Map<String, RegionWriter> writers = new HashMap<>();
        private final Feed feed = new EndlessFeed();
        private final PipelineOutput output;

        Run(String pipeline) {
            WriterName name = WriterName.of(pipeline, 0);
            for (String region : List.of("all", "some")) {
                writers.put(region, store.writer(region, name, Trades.SCHEMA, NONE));
            }
            RegionWriter rejects = store.writer("rejects", name, RejectBatch.RECORDS, NONE);
            output = new PipelineOutput(
                    pipeline,
                    store,
                    false,
                    new FormerPipelines(Set.of(), true),
                    new PipelineOutput.Rejects("rejects", rejects, new RejectBatch()),
                    null,
                    List.of(),
                    new Retry(pipeline, new NoPauses()));
        }

        long open(Term term, long version) throws IOException {
            Set<String> earlier = new HashSet<>();
            LongStream.range(1, version).forEach(number -> earlier.add("rules-" + number));
            return output.open(
                    term, feed, _ -> new PipelineOutput.Version(version, "rules-" + version, earlier, writers));
        }

        void read(Random random, long start, int end) throws IOException {
            int next = Math.toIntExact(start / Trades.LENGTH);
            while (next < end) {
                int to = Math.min(end, next + 1 + random.nextInt(12));
                output.begin();
                Objects.requireNonNull(writers.get("all")).append(Trades.batch(FEED, next, to));
                Objects.requireNonNull(writers.get("some")).append(Trades.every(3, Trades.batch(FEED, next, to)));
                output.cover((long) to * Trades.LENGTH);
                if (random.nextInt(3) > 0) {
                    output.flush(false, random.nextInt(12) == 0, feed);
                }
                next = to;
            }
        }
    }

    private record NoPauses() implements Pauses {

        @Override
        public boolean pause(Duration time) {
            throw new AssertionError("nothing fails");
        }

        @Override
        public long nanoTime() {
            return 0;
        }
    }

    /** A feed that is read by the test itself. */
    private static final class EndlessFeed implements Feed {

        @Override
        public void open(long position) {
            // the test reads from the position
        }

        @Override
        public Poll poll(RecordBatch batch, Duration maxWait) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long lag() {
            return 0;
        }

        @Override
        public boolean replayable() {
            return true;
        }

        @Override
        public void close() {
            // holds nothing
        }
    }
}
