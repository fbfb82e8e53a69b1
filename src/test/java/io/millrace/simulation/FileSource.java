package io.millrace.simulation;

import static io.millrace.simulation.Stored.require;

import io.millrace.feed.Feed;
import io.millrace.measure.MeasureProcessor;
import io.millrace.pipeline.PipelineLimits;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** A file that one process at a time reads to its end: every record is where it belongs, exactly once. */
final class FileSource implements Source {

    /** Feeds by their number of records. */
    private static final Map<Integer, byte[]> FEEDS = new ConcurrentHashMap<>();

    private static final PipelineLimits LIMITS =
            new PipelineLimits(64, Duration.ofMillis(1), Duration.ofMillis(20), null);

    /** So that the feed ends before most faults, or in the middle of them. */
    private static final int[] POLL_MILLIS = {3, 15, 50};

    private final Simulation simulation;
    private final int records;
    private final int pollMillis;
    private final byte[] feed;
    /** Bytes that the file has at the end. */
    private final int finalLength;

    /** Bytes that it has now. */
    private int length;

    private final IntSupplier changes;
    private final Map<Fiber.Host, SimulatedFile> files = new HashMap<>();
    private final List<Begun> begun = new ArrayList<>();
    /** Number of changes before each. */
    private final List<Integer> begunAt = new ArrayList<>();

    private final Map<Long, Long> sinceByVersion = new HashMap<>();

    /** @param changes number of changes of what is stored */
    FileSource(Simulation simulation, int records, IntSupplier changes) {
        this.changes = changes;
        this.simulation = simulation;
        this.feed = FEEDS.computeIfAbsent(records, SharedKeys::feed);
        // Half of the files end in the middle of a record.
        this.finalLength = records * Trades.LENGTH - (simulation.oneIn(2) ? 0 : cut(simulation));
        this.records = finalLength / Trades.LENGTH;
        this.length = simulation.oneIn(2) ? finalLength : simulation.random().nextInt(finalLength);
        this.pollMillis = POLL_MILLIS[simulation.random().nextInt(POLL_MILLIS.length)];
    }

    /** A number of bytes that leaves a record incomplete. */
    private static int cut(Simulation simulation) {
        return 1 + simulation.random().nextInt(Trades.LENGTH - 1);
    }

    @Override
    public void complete(List<SimulatedProcess> processes) {
        length = finalLength;
        // A pipeline whose file has ended reads what was added once it is restarted.
        processes.stream()
                .filter(process -> process.done() && !process.ended() && !hasDoneAll(process))
                .forEach(SimulatedProcess::restart);
    }

    @Override
    public Feed feed(Fiber.Host process, Supplier<Applied> applied) {
        SimulatedFile file = new SimulatedFile(simulation, feed, () -> length, pollMillis);
        files.put(process, file);
        return file;
    }

    @Override
    public PipelineLimits limits() {
        return LIMITS;
    }

    @Override
    public void begun(Begun term) {
        Long known = sinceByVersion.putIfAbsent(term.number(), term.since());
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
        begun.forEach(term -> sinceByVersion.put(term.number(), term.since()));
    }

    @Override
    public boolean finished(List<SimulatedProcess> processes) {
        return processes.stream().anyMatch(this::hasDoneAll)
                && processes.stream().filter(SimulatedProcess::leads).allMatch(this::hasDoneAll);
    }

    private boolean hasDoneAll(SimulatedProcess process) {
        return process.done()
                && !process.ended()
                && Objects.requireNonNull(files.get(process)).endedAt() == finalLength;
    }

    @Override
    public void verify(Stored stored, List<SimulatedProcess> processes) {
        long covered = -1;
        for (byte[] value : stored.region(Stored.BLOCKS)) {
            Block block = Block.open(value, stored.rules().stored());
            if (covered >= 0 && block.count() > 0) {
                require(block.from() == covered, "a gap or an overlap at position " + block.from());
            }
            covered = block.count() > 0 ? block.to() : covered;
        }
        long end = (long) records * Trades.LENGTH;
        List<Long> incomplete = finalLength > end ? List.of(end) : List.of();
        require(
                stored.incomplete().equals(incomplete),
                "rejects of incomplete records at " + stored.incomplete() + " instead of " + incomplete);
        Map<String, Long> entries = new HashMap<>();
        for (long record = 0; record < records; record++) {
            Applied applied = new Applied(rules(record), table(record, stored.commits()));
            stored.requireStored(record, applied, (id, target) -> {
                if (target == Rules.Target.ENTRIES) {
                    String key = stored.rules().key(id);
                    if (SharedKeys.removes(id)) {
                        entries.remove(key);
                    } else {
                        entries.put(key, id);
                    }
                }
            });
        }
        stored.requireEntries(entries);
        Fiber.Host owner = begun.stream()
                .max(Comparator.comparingLong(Begun::epoch))
                .orElseThrow()
                .process();
        for (SimulatedProcess process : processes) {
            // Another one that is done may not know yet that it was superseded.
            if (process == owner && hasDoneAll(process)) {
                for (MeasureProcessor measure : process.measures()) {
                    long counted = SimulatedMeasure.counted(stored.region(SimulatedMeasure.ROWS), measure);
                    require(counted == records, "the measure has counted " + counted + " of " + records + " records");
                }
            }
        }
    }

    /**
     * The rules by which a record has been processed: those that the last term says began at it or before, which no
     * other term contradicts.
     */
    private int rules(long id) {
        return begun.stream()
                .filter(term -> term.since() <= id * Trades.LENGTH)
                .max(Comparator.comparingLong(Begun::epoch)
                        .thenComparingLong(Begun::since)
                        // A version that was replaced before the first record has processed none.
                        .thenComparingLong(Begun::number))
                .orElseThrow()
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
