package io.millrace.pipeline.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectSink;
import io.millrace.feed.Feed;
import io.millrace.feed.Split;
import io.millrace.pipeline.step.Pauses;
import io.millrace.pipeline.step.Retry;
import io.millrace.store.Rejects;
import io.millrace.store.Trades;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.query.Query;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.reject.RejectBatch;
import io.millrace.store.write.Commit;
import io.millrace.store.write.Commits;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.RegionWriters;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/**
 * A pipeline whose blocks grow beyond its commits: if it is killed and continues with a later version of the schema,
 * its regions go back to a position at which all of their blocks ended. Each version rejects fewer records than the one
 * before.
 */
class AlignedCommitTest {

    private static final int RECORDS = 600;
    private static final List<String> REGIONS = List.of("rows", "columns", "latest");
    private static final String REJECTS = "rejects";
    private static final String RULES = "rules-";
    private static final RejectSink NONE = (_, _, reason) -> {
        throw new AssertionError(reason.toString());
    };

    @SuppressWarnings("NullAway.Init")
    private static GeodeStore store;

    @SuppressWarnings("NullAway.Init")
    private static Path folder;

    private static int pipelines;
    private static int straddled;
    private static int interrupted;

    /** The process is killed. */
    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    @BeforeContainer
    static void open() throws IOException {
        folder = Files.createTempDirectory("aligned");
        store = new GeodeStore(GeodeOptions.inFolder(folder));
        store.open(new RegionDefinition("rows", Layout.BLOCKS, 0, true, Trades.SCHEMA, List.of("desk"), 64));
        store.open(new RegionDefinition(
                "columns", Layout.BLOCKS, 0, false, Trades.SCHEMA, List.of("desk"), null, 40, BlockEncoding.COLUMNS));
        store.open(new RegionDefinition("latest", Layout.ENTRIES, 0, true, Trades.SCHEMA, List.of("id"), 64));
        store.open(Rejects.region(REJECTS, false));
    }

    @AfterContainer
    static void close() throws IOException {
        store.close();
        FileSystemUtils.deleteRecursively(folder);
        assertThat(straddled).isPositive();
        assertThat(interrupted).isPositive();
    }

    @Property(tries = 200)
    void shouldHoldEachRecordOnceWhenALaterVersionTakesRecordsAgain(@ForAll long seed) throws IOException {
        Random random = new Random(seed);
        int first = RECORDS * pipelines;
        String pipeline = "aligned-" + pipelines++;
        WriterName name = WriterName.of(pipeline, 0);
        int[] versions = new int[RECORDS]; // the one that has processed a record last, by the index of the record
        int lives = 1 + random.nextInt(8);
        boolean sameNumber = random.nextBoolean();
        int interruptedVersion = 0;
        for (int life = 1; life <= lives; life++) {
            Commit last = store.commits(true).get(name);
            int version = version(random, last);
            interrupted += last != null && interruptedVersion > version(last) && version == version(last) ? 1 : 0;
            Run run = new Run(pipeline, first, life == lives ? Integer.MAX_VALUE : random.nextInt(60));
            Term term = Objects.requireNonNull(store.claim(name, true).term());
            interruptedVersion = version;
            try {
                long start = run.open(term, sameNumber ? 1 : version, version);
                interruptedVersion = 0;
                if (last != null && !last.clean() && version != version(last)) {
                    assertThat(start).isLessThanOrEqualTo(last.aligned());
                    straddled += last.aligned() > 0 && last.aligned() < last.position() ? 1 : 0;
                }
                run.read(random, start, life == lives ? RECORDS : random.nextInt(RECORDS), version, versions);
                if (life == lives || random.nextInt(4) == 0) {
                    run.output.flush(true, true, run.feed);
                }
            } catch (Killed e) {
                // the next process continues
            }
            run.output.close();
        }
        for (int i = 0; i < REGIONS.size(); i++) {
            int region = i;
            assertThat(ids(REGIONS.get(i), first))
                    .as(REGIONS.get(i))
                    .isEqualTo(ids(first, index -> index % 3 == region && accepts(versions[index], index)));
        }
        assertThat(rejected(first)).isEqualTo(ids(first, index -> !accepts(versions[index], index)));
    }

    /** Else the position would stay where it is as long as no minute ends right after a record of a slow feed. */
    @Example
    void shouldCommitTheEndOfBlocksThoughNoRecordHasFollowed() throws IOException {
        WriterName name = WriterName.of("slow", 0);
        Run run = new Run("slow", RECORDS * pipelines++, Integer.MAX_VALUE);
        run.open(Objects.requireNonNull(store.claim(name, true).term()), 1, 1);
        run.process(0, 5, 1);
        run.output.flush(false, false, run.feed);
        assertThat(commit(name).position()).isEqualTo(5L * Trades.LENGTH);
        assertThat(commit(name).aligned()).isZero();

        run.output.flush(false, true, run.feed);

        assertThat(commit(name).aligned()).isEqualTo(5L * Trades.LENGTH);
        run.output.flush(true, true, run.feed);
        run.output.flush(false, true, run.feed);
        assertThat(commit(name).clean()).isTrue();
        run.output.close();
    }

    private static Commit commit(WriterName name) {
        return Objects.requireNonNull(store.commits(true).get(name));
    }

    /** Returns the version of the last commit, or a later one. */
    private static int version(Random random, @Nullable Commit last) {
        return last == null ? 1 : version(last) + (random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(2));
    }

    private static int version(Commit commit) {
        return Integer.parseInt(commit.rules().substring(RULES.length()));
    }

    private static boolean accepts(int version, int index) {
        return index % 10 < 4 + version;
    }

    private static List<Long> ids(int first, IntPredicate where) {
        return IntStream.range(0, RECORDS)
                .filter(where)
                .mapToObj(index -> (long) first + index)
                .toList();
    }

    /** In the order of the blocks: those of later writers have larger keys. */
    private static List<Long> ids(String region, int first) {
        List<Long> ids = new ArrayList<>();
        Query all = new Query("id >= " + first, List.of("id"), List.of(), Query.UNLIMITED);
        try (var records = store.find(region, all, Duration.ofMinutes(1)).stream()) {
            records.forEach(record -> ids.add((Long) Objects.requireNonNull(record.get("id"))));
        }
        return region.equals("latest") ? ids.stream().sorted().toList() : ids;
    }

    private static List<Long> rejected(int first) {
        return Rejects.of(store, REJECTS).stream()
                .map(reject -> Trades.id(reject.bytes(), 0))
                .filter(id -> id >= first)
                .toList();
    }

    /** One process of the pipeline. */
    private static final class Run {

        private final byte[] bytes = new byte[RECORDS * Trades.LENGTH];
        private final Map<String, RegionWriter> writers = new HashMap<>();
        private final RegionWriter rejects;
        private final RejectBatch held = new RejectBatch();
        private final Feed feed = new EndlessFeed();
        private final PipelineOutput output;
        private int steps;

        /** @param steps after which it is killed: beginnings and ends of openings of regions and of commits */
        Run(String pipeline, int first, int steps) {
            this.steps = steps;
            IntStream.range(0, RECORDS).forEach(index -> Trades.write(bytes, index * Trades.LENGTH, first + index));
            WriterName name = WriterName.of(pipeline, 0);
            for (String region : REGIONS) {
                writers.put(region, mortal(store.writer(region, name, Trades.SCHEMA, NONE)));
            }
            rejects = mortal(store.writer(REJECTS, name, RejectBatch.RECORDS, NONE));
            output = new PipelineOutput(
                    pipeline,
                    Split.WHOLE,
                    proxy(
                            RegionWriters.class,
                            store,
                            "",
                            result -> result instanceof Commits commits
                                    ? proxy(Commits.class, commits, "put", put -> put)
                                    : result),
                    false,
                    new FormerPipelines(Set.of(), true),
                    new PipelineOutput.Rejects(REJECTS, rejects, held, Map.of()),
                    null,
                    List.of(),
                    new Retry(pipeline, new NoPauses()));
        }

        private RegionWriter mortal(RegionWriter writer) {
            return proxy(RegionWriter.class, writer, "open", result -> result);
        }

        /** @param mortal name of the method in which the process may be killed */
        private <T> T proxy(Class<T> type, T target, String mortal, Results results) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, (_, method, arguments) -> {
                        boolean counts = method.getName().equals(mortal);
                        step(counts);
                        try {
                            Object result = results.of(method.invoke(target, arguments));
                            step(counts);
                            return result;
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    }));
        }

        private void step(boolean counts) {
            if (counts && steps-- == 0) {
                throw new Killed();
            }
        }

        /** Changes what a method returns. */
        interface Results {
            @Nullable
            Object of(@Nullable Object result);
        }

        long open(Term term, long number, int version) throws IOException {
            Set<String> earlier = new HashSet<>();
            LongStream.range(1, version).forEach(before -> earlier.add(RULES + before));
            return output.open(term, feed, _ -> new OutputVersion(number, RULES + version, earlier, writers));
        }

        /** Returns once it has read up to a record. */
        void read(Random random, long start, int end, int version, int[] versions) throws IOException {
            int next = Math.toIntExact(start / Trades.LENGTH);
            while (next < end) {
                int to = Math.min(end, next + 1 + random.nextInt(12));
                Arrays.fill(versions, next, to, version);
                process(next, to, version);
                if (random.nextInt(3) > 0) {
                    output.flush(false, random.nextInt(12) == 0, feed);
                }
                next = to;
            }
        }

        void process(int next, int end, int version) {
            output.begin();
            for (int i = 0; i < REGIONS.size(); i++) {
                int region = i;
                Objects.requireNonNull(writers.get(REGIONS.get(i)))
                        .append(select(next, end, index -> index % 3 == region && accepts(version, index)));
            }
            RecordBatch rejected = select(next, end, index -> !accepts(version, index));
            for (int i = 0; i < rejected.selected(); i++) {
                held.add(
                        rejected,
                        rejected.selection()[i],
                        new RejectReason(RejectReason.Kind.INVALID_VALUE, "not known yet"));
            }
            long position = (long) end * Trades.LENGTH;
            rejects.append(held.take(position));
            output.cover(position);
        }

        private RecordBatch select(int first, int end, IntPredicate wanted) {
            RecordBatch batch = Trades.batch(bytes, first, end);
            int selected = 0;
            for (int i = 0; i < end - first; i++) {
                if (wanted.test(first + i)) {
                    batch.selection()[selected++] = i;
                }
            }
            batch.select(selected);
            return batch;
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
