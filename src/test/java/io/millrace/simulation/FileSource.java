package io.millrace.simulation;

import static io.millrace.simulation.Stored.require;

import io.millrace.feed.Feed;
import io.millrace.feed.Split;
import io.millrace.feed.Stripes;
import io.millrace.measure.run.RunningMeasure;
import io.millrace.pipeline.run.PipelineLimits;
import io.millrace.store.Trades;
import io.millrace.store.block.Block;
import io.millrace.store.write.Commit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * A file of which one process at a time reads each split to its end: every record is where it belongs, exactly once.
 */
final class FileSource implements Source {

    /** Feeds by their number of records. */
    private static final Map<Integer, byte[]> FEEDS = new ConcurrentHashMap<>();

    /** A pipeline also fails because the file could not be read for some time. */
    private static final PipelineLimits LIMITS =
            new PipelineLimits(64, Duration.ofMillis(1), Duration.ofMillis(20), Duration.ofSeconds(2));

    private static final int BATCH_RECORDS = 24;
    private static final int TRICKLE_RECORDS = 5;

    /** So that the feed ends before most faults, or in the middle of them. */
    private static final int[] POLL_MILLIS = {3, 15, 50};

    private final Simulation simulation;
    private final int records;
    private final int pollMillis;
    private final SharedFile file;
    private final Mutant mutant;
    private final int batchRecords;
    /** Bytes that the file has at the end. */
    private final int finalLength;

    private final IntSupplier changes;
    private final Weights.Splits splits;
    private final boolean measuring;
    private final Map<Fiber.Host, SimulatedFile[]> files = new HashMap<>();
    private final List<Begun> begun = new ArrayList<>();
    /** Number of changes before each. */
    private final List<Integer> begunAt = new ArrayList<>();

    private final Map<Version, Long> sinceByVersion = new HashMap<>();

    /** A version of the rules of a partition. */
    private record Version(int partition, long number) {}

    /**
     * @param trickle whether batches have few records
     * @param measuring whether the pipeline has a measure
     * @param changes number of changes of what is stored
     */
    FileSource(
            Simulation simulation,
            int records,
            Weights.Splits splits,
            boolean trickle,
            boolean measuring,
            Mutant mutant,
            IntSupplier changes) {
        this.mutant = mutant;
        this.batchRecords = trickle ? TRICKLE_RECORDS : BATCH_RECORDS;
        this.splits = splits;
        this.measuring = measuring;
        this.changes = changes;
        this.simulation = simulation;
        // Half of the files end in the middle of a record.
        this.finalLength = records * Trades.LENGTH - (simulation.oneIn(2) ? 0 : cut(simulation));
        this.records = finalLength / Trades.LENGTH;
        int length = simulation.oneIn(2) ? finalLength : simulation.random().nextInt(finalLength);
        this.file = new SharedFile(simulation, FEEDS.computeIfAbsent(records, SharedKeys::feed), length);
        this.pollMillis = POLL_MILLIS[simulation.random().nextInt(POLL_MILLIS.length)];
    }

    /** A number of bytes that leaves a record incomplete. */
    private static int cut(Simulation simulation) {
        return 1 + simulation.random().nextInt(Trades.LENGTH - 1);
    }

    @Override
    public void complete(List<SimulatedProcess> processes) {
        file.grow(finalLength);
        // A pipeline whose file has ended reads what was added once it is restarted.
        processes.stream()
                .filter(process -> process.done() && !process.ended() && !hasDoneAll(process))
                .forEach(SimulatedProcess::restart);
    }

    @Override
    public Feed feed(SimulatedProcess process, Split split, Supplier<Applied> applied) {
        Stripes stripes = new Stripes(split, Trades.LENGTH, splits.stripeRecords() * Trades.LENGTH);
        SimulatedFile read = new SimulatedFile(
                simulation,
                file,
                pollMillis,
                batchRecords,
                stripes,
                mutant,
                process::report,
                () -> process.failed(split.index()));
        files.computeIfAbsent(process, _ -> new SimulatedFile[splits.partitions()])[split.index()] = read;
        return read;
    }

    @Override
    public void interrupt(long nanos) {
        file.interrupt(nanos);
    }

    @Override
    public void failed(SimulatedProcess process, int partition) {
        Objects.requireNonNull(files.get(process))[partition].fail();
    }

    @Override
    public void change() {
        file.change();
    }

    @Override
    public void restore() {
        file.restore();
    }

    @Override
    public PipelineLimits limits() {
        return LIMITS;
    }

    @Override
    public void begun(Begun term) {
        Long known = sinceByVersion.putIfAbsent(new Version(term.partition(), term.number()), term.since());
        require(
                known == null || known == term.since(),
                "version " + term.number() + " has begun twice: at " + known + " and " + term.since());
        begun.add(term);
        begunAt.add(changes.getAsInt());
    }

    @Override
    public void lost(int kept) {
        for (int i = begun.size() - 1; i >= 0; i--) {
            if (begunAt.get(i) > kept) {
                begun.remove(i);
                begunAt.remove(/* index */ i);
            }
        }
        sinceByVersion.clear();
        begun.forEach(term -> sinceByVersion.put(new Version(term.partition(), term.number()), term.since()));
    }

    @Override
    public boolean finished(List<SimulatedProcess> processes) {
        for (int partition = 0; partition < splits.partitions(); partition++) {
            int one = partition;
            if (processes.stream().noneMatch(process -> hasDone(process, one))
                    || !processes.stream()
                            .filter(process -> process.leads(one))
                            .allMatch(process -> hasDone(process, one))) {
                return false;
            }
        }
        return true;
    }

    private boolean hasDone(SimulatedProcess process, int partition) {
        return process.done(partition)
                && !process.ended()
                && Objects.requireNonNull(files.get(process))[partition].endedAt() == finalLength;
    }

    /** Whether a process has done all of its partitions, and has one. */
    private boolean hasDoneAll(SimulatedProcess process) {
        for (int partition = 0; partition < splits.partitions(); partition++) {
            if (process.done(partition) && !hasDone(process, partition)) {
                return false;
            }
        }
        return process.done() && !process.ended();
    }

    private int partition(long record) {
        return (int) (record / splits.stripeRecords() % splits.partitions());
    }

    @Override
    public void verify(Stored stored, List<SimulatedProcess> processes) {
        require(file.problem() == null, () -> "a feed is wrong: " + file.problem());
        verifyBlocks(stored);
        verifyCommits(stored);
        long end = (long) records * Trades.LENGTH;
        List<Long> incomplete = finalLength > end ? List.of(end) : List.of();
        require(
                stored.incomplete().equals(incomplete),
                "rejects of incomplete records at " + stored.incomplete() + " instead of " + incomplete);
        Map<String, Long> entries = new HashMap<>();
        for (long record = 0; record < records; record++) {
            Applied applied = new Applied(rules(record), table(record, stored.commits(partition(record))));
            stored.requireStored(record, applied, (id, target) -> {
                if (target == Rules.Target.ENTRIES) {
                    String key = stored.rules().key(id);
                    if (stored.removes(id)) {
                        entries.remove(key);
                    } else {
                        entries.put(key, id);
                    }
                }
            });
        }
        stored.requireEntries(entries);
        if (splits.partitions() > 1) {
            return;
        }
        Fiber.Host owner = begun.stream()
                .max(Comparator.comparingLong(Begun::epoch))
                .orElseThrow()
                .process();
        for (SimulatedProcess process : processes) {
            // Another one that is done may not know yet that it was superseded.
            if (process == owner && hasDoneAll(process)) {
                for (RunningMeasure measure : process.measures()) {
                    long counted = SimulatedMeasure.counted(stored.region(SimulatedMeasure.ROWS), measure);
                    require(counted == records, "the measure has counted " + counted + " of " + records + " records");
                }
            }
        }
    }

    @Override
    public boolean measured(Stored stored) {
        return splits.partitions() == 1
                || SimulatedMeasure.rows(stored.region(SimulatedMeasure.ROWS))
                        .equals(SimulatedMeasure.rows(file.bytes(), records));
    }

    /** Requires that the blocks of each writer meet. Those of several partitions have the records of one, in order. */
    private void verifyBlocks(Stored stored) {
        if (splits.partitions() == 1) {
            long covered = -1;
            for (byte[] value : stored.region(Stored.BLOCKS)) {
                covered = requireMeets(covered, Block.open(value, stored.rules().stored()));
            }
            return;
        }
        for (String region : List.of(Stored.BLOCKS, Stored.RAW)) {
            boolean received = region.equals(Stored.RAW);
            Map<Integer, Long> covered = new HashMap<>();
            Map<Integer, Long> last = new HashMap<>();
            Map<Integer, Integer> writers = new HashMap<>();
            stored.visitBlocks(region, (writer, block, ids) -> {
                covered.put(writer, requireMeets(covered.getOrDefault(writer, -1L), block));
                for (long id : ids) {
                    Long before = last.put(writer, id);
                    require(before == null || before < id, "out of order: record " + id + " after " + before);
                    int partition = partition(received ? id : stored.rules().record(id));
                    require(
                            writers.putIfAbsent(partition, writer) == null || writers.get(partition) == writer,
                            "written by another partition: record " + id);
                }
            });
            require(
                    Set.copyOf(writers.values()).size() == writers.size(),
                    "partitions have written under one name: " + writers);
        }
    }

    private static long requireMeets(long covered, Block block) {
        if (covered >= 0 && block.count() > 0) {
            require(block.from() == covered, "a gap or an overlap at position " + block.from());
        }
        return block.count() > 0 ? block.to() : covered;
    }

    /** Requires that positions of several partitions are their own, and never go back. */
    private void verifyCommits(Stored stored) {
        for (int partition = 0; partition < splits.partitions() && splits.partitions() > 1; partition++) {
            long before = 0;
            for (Commit commit : stored.commits(partition)) {
                long position = commit.position();
                // The end of a record: that after it may belong to another partition.
                require(
                        position == 0 || partition(position / Trades.LENGTH - 1) == partition,
                        "a position of another partition: " + position + " of " + partition);
                // A measure continues at its own position, from which all records are read again.
                require(
                        measuring || position >= before,
                        "position " + position + " after " + before + " of " + partition);
                before = position;
            }
        }
    }

    /**
     * The rules by which a record has been processed: those that the last term says began at it or before, which no
     * other term contradicts.
     */
    private int rules(long id) {
        return begun.stream()
                .filter(term -> term.partition() == partition(id) && term.since() <= id * Trades.LENGTH)
                .max(Comparator.comparingLong(Begun::epoch)
                        .thenComparingLong(Begun::since)
                        // A version that was replaced before the first record has processed none.
                        .thenComparingLong(Begun::number))
                .orElseThrow(() -> new AssertionError("no version of the rules has begun before record " + id))
                .rules();
    }

    /** The rows by which a record has been processed: those that the last commit names that is not behind it. */
    private static int table(long id, List<Commit> commits) {
        for (int i = commits.size() - 1; i >= 0; i--) {
            Commit commit = commits.get(i);
            if (commit.position() <= id * Trades.LENGTH) {
                String version = commit.tables().get(SimulatedTable.NAME);
                return version == null ? 0 : SimulatedTable.number(version);
            }
        }
        return 0;
    }
}
