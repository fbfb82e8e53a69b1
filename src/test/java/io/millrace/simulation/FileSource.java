package io.millrace.simulation;

import static io.millrace.simulation.Stored.require;

import io.millrace.feed.Feed;
import io.millrace.measure.MeasureProcessor;
import io.millrace.pipeline.PipelineLimits;
import io.millrace.store.Trades;
import io.millrace.store.block.Block;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/** A file that one process at a time reads to its end: every record is where it belongs, exactly once. */
final class FileSource implements Source {

    private static final int RECORDS = 400;
    private static final byte[] FEED = SharedKeys.feed(RECORDS);
    private static final PipelineLimits LIMITS =
            new PipelineLimits(64, Duration.ofMillis(1), Duration.ofMillis(20), null);

    /** So that the feed ends before most faults, or in the middle of them. */
    private static final int[] POLL_MILLIS = {3, 15, 50};

    private final Simulation simulation;
    private final int pollMillis;
    private final List<Begun> begun = new ArrayList<>();
    private final Map<Long, Long> sinceByVersion = new HashMap<>();

    FileSource(Simulation simulation) {
        this.simulation = simulation;
        this.pollMillis = POLL_MILLIS[simulation.random().nextInt(POLL_MILLIS.length)];
    }

    @Override
    public Feed feed(Fiber.Host process, IntSupplier version) {
        return new SimulatedFile(simulation, FEED, pollMillis);
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
    }

    @Override
    public boolean finished(List<SimulatedProcess> processes) {
        return processes.stream().anyMatch(FileSource::hasDoneAll);
    }

    private static boolean hasDoneAll(SimulatedProcess process) {
        return process.done() && !process.ended();
    }

    @Override
    public void verify(Stored stored, List<SimulatedProcess> processes) {
        long covered = -1;
        for (byte[] value : stored.region(Stored.BLOCKS)) {
            Block block = Block.open(value, Trades.SCHEMA);
            if (covered >= 0 && block.count() > 0) {
                require(block.from() == covered, "a gap or an overlap at position " + block.from());
            }
            covered = block.count() > 0 ? block.to() : covered;
        }
        Map<String, Long> entries = new HashMap<>();
        for (long id = 0; id < RECORDS; id++) {
            if (stored.requireStored(id, version(id)) == Rules.Target.ENTRIES) {
                if (SharedKeys.removes(id)) {
                    entries.remove(SharedKeys.of(id));
                } else {
                    entries.put(SharedKeys.of(id), id);
                }
            }
        }
        stored.requireEntries(entries);
        for (SimulatedProcess process : processes) {
            if (hasDoneAll(process)) {
                for (MeasureProcessor measure : process.measures()) {
                    long counted = SimulatedMeasure.counted(stored.region(SimulatedMeasure.ROWS), measure);
                    require(counted == RECORDS, "the measure has counted " + counted + " of " + RECORDS + " records");
                }
            }
        }
    }

    /**
     * The rules by which a record has been processed: those that the last term says began at it or before, which no
     * other term contradicts.
     */
    private int version(long id) {
        return begun.stream()
                .filter(term -> term.since() <= id * Trades.LENGTH)
                .max(Comparator.comparingLong(Begun::epoch)
                        .thenComparingLong(Begun::since)
                        // A version that was replaced before the first record has processed none.
                        .thenComparingLong(Begun::number))
                .orElseThrow()
                .rules();
    }
}
