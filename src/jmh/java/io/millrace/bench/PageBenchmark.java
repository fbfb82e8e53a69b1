package io.millrace.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the live page costs W1: the whole service with its web server and W1's steps and regions, and the time of a
 * trade while nobody looks; while one client reads {@code /api/live} and a tap; and while 1,000 clients listen to
 * {@code /api/live} and never read. Run it by {@code ./mvnw -Pbench verify -Dbench=Page}.
 *
 * <p>Each invocation is a round: every arm once for four seconds, in another order than the round before, so that what
 * else happens on the machine meets them alike. Trades come as messages of a batch each from the thread that measures,
 * which works the pipeline by itself; regions keep the newest 256 MB. Clients are in this JVM, as plain sockets; those
 * that don't read are connected before their arm and closed behind it, so what is measured is the time when their
 * sockets fill up, after which they cost less. Medians and ratios of the arms are printed at the end; the JSON holds
 * them round by round. The score of the round itself means nothing.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 12)
@Fork(
        value = 1,
        jvmArgsPrepend = {"-Xms4g", "-Xmx4g", "-XX:+AlwaysPreTouch"})
public class PageBenchmark {

    private static final int SLOW_CLIENTS = 1000;
    private static final int WARMUP_ROUNDS = 2;

    /** Who looks. */
    enum Arm {
        NOBODY,
        READER,
        SLOW
    }

    /** The service, and what was measured. */
    @State(Scope.Benchmark)
    public static class Service {
        private final List<Map<Arm, Double>> rounds = new ArrayList<>();
        private PageService service = PageService.NONE;

        @Setup
        public void start() throws IOException {
            service = PageService.start();
        }

        @TearDown
        public void stop() {
            service.close();
            List<Map<Arm, Double>> measured = rounds.subList(Math.min(WARMUP_ROUNDS, rounds.size()), rounds.size());
            double nobody = median(measured, Arm.NOBODY);
            for (Arm arm : Arm.values()) {
                System.out.printf(
                        Locale.ROOT,
                        "%n%-8s %8.2f ns a trade, %6.3f x nobody, paired %6.3f",
                        arm.name().toLowerCase(Locale.ROOT),
                        median(measured, arm),
                        median(measured, arm) / nobody,
                        median(measured.stream()
                                .mapToDouble(round -> nanos(round, arm) / nanos(round, Arm.NOBODY))
                                .toArray()));
            }
            System.out.println();
        }

        private static double median(List<Map<Arm, Double>> rounds, Arm arm) {
            return median(
                    rounds.stream().mapToDouble(round -> nanos(round, arm)).toArray());
        }

        private static double median(double[] values) {
            Arrays.sort(values);
            return values.length == 0 ? Double.NaN : (values[(values.length - 1) / 2] + values[values.length / 2]) / 2;
        }
    }

    /** Nanoseconds a trade in each arm of a round. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Nanos {
        public double nobody;
        public double reader;
        public double slow;
    }

    @Benchmark
    public void round(Service state, Nanos nanos) throws IOException {
        Map<Arm, Double> round = new EnumMap<>(Arm.class);
        for (int i = 0; i < Arm.values().length; i++) {
            Arm arm = Arm.values()[(i + state.rounds.size()) % Arm.values().length];
            round.put(arm, measure(state.service, arm));
        }
        state.rounds.add(round);
        nanos.nobody = nanos(round, Arm.NOBODY);
        nanos.reader = nanos(round, Arm.READER);
        nanos.slow = nanos(round, Arm.SLOW);
    }

    private static double nanos(Map<Arm, Double> round, Arm arm) {
        return Objects.requireNonNull(round.get(arm));
    }

    private static double measure(PageService service, Arm arm) throws IOException {
        try (PageClients clients = new PageClients(service.port())) {
            switch (arm) {
                case NOBODY -> {}
                case READER -> {
                    clients.read("/api/live");
                    clients.read("/api/pipelines/w1/taps/3-set");
                }
                case SLOW -> clients.listenWithoutReading("/api/live", SLOW_CLIENTS);
            }
            return service.work();
        }
    }
}
