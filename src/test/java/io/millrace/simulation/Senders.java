package io.millrace.simulation;

import static io.millrace.simulation.Stored.require;

import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed;
import io.millrace.feed.Split;
import io.millrace.measure.run.RunningMeasure;
import io.millrace.pipeline.run.PipelineLimits;
import io.millrace.store.Trades;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * Clients that send records to any instance of the pipeline and wait for a confirmation, and send what was not
 * confirmed once more, as other records: what was confirmed is where it belongs, and nothing is stored twice.
 */
final class Senders implements Source {

    private static final int SENDERS = 3;
    private static final int RECORDS_PER_MESSAGE = 6;
    private static final Applied NEVER_READ = new Applied(-1, 0);
    private static final long PATIENCE = 6_000_000_000L;

    private final Simulation simulation;
    private final int messages;
    private final IntSupplier changes;
    private final boolean answersEarly;
    private final List<Instance> instances = new ArrayList<>();
    private final Map<Long, Applied> versions = new HashMap<>();
    private final List<Message> sent = new ArrayList<>();
    private final List<Message> confirmed = new ArrayList<>();
    private int delivered;
    private long ids;

    /**
     * @param records about how many of them the senders send
     * @param changes number of changes of what is stored
     * @param answersEarly a mutant: confirms what was read, before it is stored
     */
    Senders(Simulation simulation, int records, IntSupplier changes, boolean answersEarly) {
        this.changes = changes;
        this.simulation = simulation;
        this.messages = records / (RECORDS_PER_MESSAGE * SENDERS);
        this.answersEarly = answersEarly;
        for (int i = 0; i < SENDERS; i++) {
            simulation.start("sender", null, this::send);
        }
    }

    /** Some records that are confirmed together; each time they are sent they have other ids. */
    static final class Message {
        private final long first;
        private final int count;
        private final String connection;
        private final long sentNanos;
        private boolean answered;
        private long answeredNanos;
        /** Number of changes before the confirmation. */
        private int changes;
        /** Whether it was confirmed and lost. */
        private boolean lost;

        Message(long first, int count, String connection, long sentNanos) {
            this.first = first;
            this.count = count;
            this.connection = connection;
            this.sentNanos = sentNanos;
        }

        /** The process that received it, and since when without a break. */
        String connection() {
            return connection;
        }

        /** Orders the messages of a connection. */
        long order() {
            return first;
        }

        long sentNanos() {
            return sentNanos;
        }

        /** Whether it was confirmed, and has to be stored. */
        boolean answered() {
            return answered && !lost;
        }

        long answeredNanos() {
            return answeredNanos;
        }
    }

    private void send() {
        for (int i = 0; i < messages; i++) {
            while (!sendOnce(1 + simulation.random().nextInt(2 * RECORDS_PER_MESSAGE))) {
                simulation.sleep(simulation.millis(800));
            }
            delivered++;
        }
    }

    /** Returns whether it was confirmed. */
    private boolean sendOnce(int count) {
        List<Instance> open = instances.stream().filter(Instance::takes).toList();
        if (open.isEmpty()) {
            return false;
        }
        Instance instance = open.get(simulation.random().nextInt(open.size()));
        int connection = instance.connection;
        Message message = new Message(ids, count, instance.number + "/" + connection, simulation.now());
        ids += count;
        instance.arrived.add(message);
        sent.add(message);
        boolean waits = !simulation.oneIn(15); // else it has gone before the answer is there
        simulation.await(
                () -> message.answered || !instance.takes() || connection != instance.connection, waits ? PATIENCE : 1);
        return message.answered;
    }

    @Override
    public Feed feed(SimulatedProcess process, Split split, Supplier<Applied> applied) {
        Instance instance = new Instance(process, applied);
        instances.add(instance);
        return instance;
    }

    /** Waits are long, since each takes a step. */
    @Override
    public PipelineLimits limits() {
        return new PipelineLimits(
                64, Duration.ofMillis(1 + simulation.random().nextInt(800)), Duration.ofSeconds(1), null);
    }

    @Override
    public void begun(Begun begun) {
        // each begins with what comes next
    }

    @Override
    public void complete(List<SimulatedProcess> processes) {
        // the senders go on by themselves
    }

    @Override
    public void lost(int kept) {
        confirmed.stream().filter(message -> message.changes > kept).forEach(message -> message.lost = true);
        confirmed.removeIf(message -> message.lost);
    }

    @Override
    public boolean finished(List<SimulatedProcess> processes) {
        return delivered == SENDERS * messages;
    }

    @Override
    public void verify(Stored stored, List<SimulatedProcess> processes) {
        for (long id : stored.ids()) {
            stored.requireInPlace(id, versions.getOrDefault(stored.rules().record(id), NEVER_READ));
        }
        for (Message message : confirmed) {
            for (long id = message.first; id < message.first + message.count; id++) {
                stored.requireStored(id, versions.getOrDefault(id, NEVER_READ), (_, _) -> {});
            }
        }
        verifyEntries(stored);
        for (SimulatedProcess process : processes) {
            for (RunningMeasure measure : process.leads() ? process.measures() : List.<RunningMeasure>of()) {
                long counted = SimulatedMeasure.counted(stored.region(SimulatedMeasure.ROWS), measure);
                require(
                        counted <= versions.size(),
                        "the measure has counted " + counted + " of " + versions.size() + " records");
            }
        }
    }

    private void verifyEntries(Stored stored) {
        SenderEntries entries = new SenderEntries(stored.rules());
        for (Message message : sent) {
            for (long id = message.first; id < message.first + message.count; id++) {
                Applied applied = versions.get(id);
                if (applied != null) {
                    stored.rules()
                            .made(id)
                            .filter(made -> stored.target(made, applied) == Rules.Target.ENTRIES)
                            .forEach(made -> entries.add(made, message));
                }
            }
        }
        entries.verify(stored.entries(), stored.expired());
    }

    /** What has arrived at one process. */
    private final class Instance implements Feed {

        private final int number = instances.size();
        private final SimulatedProcess process;
        private final Supplier<Applied> applied;
        private final Deque<Message> arrived = new ArrayDeque<>();
        private final List<Message> unanswered = new ArrayList<>();
        private boolean open;
        private int connection;

        Instance(SimulatedProcess process, Supplier<Applied> applied) {
            this.process = process;
            this.applied = applied;
        }

        /** Whether a client can connect. */
        private boolean takes() {
            return open && process.runsFrom() < Long.MAX_VALUE;
        }

        @Override
        public void open(long position) {
            open = true;
        }

        @Override
        public Poll poll(RecordBatch batch, Duration maxWait) {
            process.report();
            simulation.sleep(simulation.millis(3));
            simulation.await(() -> !arrived.isEmpty(), maxWait.toNanos());
            Message message = arrived.poll();
            if (message == null) {
                return Poll.NOTHING_YET;
            }
            unanswered.add(message);
            Applied now = applied.get();
            long end = message.first + message.count;
            LongStream.range(message.first, end).forEach(id -> versions.put(id, now));
            if (batch.schema().groups().isEmpty()) {
                fill(batch, message);
            } else {
                Parts.fill(batch, message.first, end, null);
            }
            if (answersEarly) {
                stored();
            }
            return Poll.RECORDS;
        }

        private void fill(RecordBatch batch, Message message) {
            byte[] records = new byte[message.count * Trades.LENGTH];
            for (int i = 0; i < message.count; i++) {
                SharedKeys.write(records, i * Trades.LENGTH, Math.toIntExact(message.first + i));
            }
            batch.fill(records, 0, message.count, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
        }

        @Override
        public boolean answers() {
            return true;
        }

        @Override
        public void stored() {
            for (Message message : unanswered) {
                message.answered = true;
                message.answeredNanos = simulation.now();
                message.changes = changes.getAsInt();
                confirmed.add(message);
            }
            unanswered.clear();
        }

        @Override
        public long lag() {
            return -1;
        }

        @Override
        public boolean replayable() {
            return false;
        }

        @Override
        public void close() {
            open = false;
            connection++;
            arrived.clear();
            unanswered.clear();
        }
    }
}
