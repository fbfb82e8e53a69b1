package io.millrace.store.geode.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

import io.millrace.store.error.StoreReopenedException;
import io.millrace.store.error.SupersededException;
import io.millrace.store.geode.cache.ProcessName;
import io.millrace.store.write.Claim;
import io.millrace.store.write.PartitionOwners;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WriterRegistryTest {

    private static final WriterName TRADES = WriterName.of("trades", 0);

    private final Map<Boolean, LocalMap<String>> maps = Map.of(true, new LocalMap<>(), false, new LocalMap<>());
    private final LocalMap<String> leases = new LocalMap<>();
    private final AtomicInteger tokens = new AtomicInteger();
    private long now;

    private WriterRegistry process(int number) {
        return process(new ProcessName("host-" + number, number, 1, 0));
    }

    private WriterRegistry process(ProcessName name) {
        return new WriterRegistry(
                maps::get,
                new Leases(leases, name, Duration.ofSeconds(5), () -> now),
                name,
                () -> "token-" + tokens.incrementAndGet());
    }

    private static Term granted(Claim claim) {
        return Objects.requireNonNull(claim.term(), String.valueOf(claim.owner()));
    }

    @Test
    void shouldLetOneProcessOwnAWriterUntilItIsReleased() {
        WriterRegistry one = process(1);
        WriterRegistry two = process(2);
        Term first = granted(one.claim(TRADES, true));

        assertThat(two.claim(TRADES, true).owner()).contains("host-1", "process 1");
        assertThat(one.isCurrent(first.proof())).isTrue();
        one.release(first);
        Term second = granted(two.claim(TRADES, true));

        assertThat(second.epoch()).isEqualTo(2);
        assertThat(second.number()).isEqualTo(first.number());
        assertThat(one.isCurrent(first.proof())).isFalse();
        assertThat(one.isCurrent(second.proof())).isTrue();
        one.release(first);
        assertThat(one.isCurrent(second.proof())).isTrue();
    }

    @Test
    void shouldShowWhichProcessesRunThePartitionsOfAPipeline() {
        WriterRegistry one = process(1);
        WriterRegistry two = process(2);
        one.participate("trades", true);
        two.participate("calls", true);
        two.participate("trades", true);
        Term first = granted(one.claim(WriterName.of("trades", 0), true));
        var _ = granted(two.claim(WriterName.of("trades", 2), true));

        PartitionOwners owners = one.owners("trades", 3, true).orElseThrow();
        assertThat(owners.counts()).containsOnly(entry("host-1:1:1:0", 1), entry("host-2:2:1:0", 1));
        assertThat(owners.self()).isEqualTo("host-1:1:1:0");
        assertThat(owners.owners().getFirst().orElseThrow().name()).isEqualTo("host-1 (process 1)");
        assertThat(IntStream.range(0, 3).mapToObj(owners::isFree)).containsExactly(false, true, false);

        one.release(first);
        two.participate("trades", false);
        owners = one.owners("trades", 3, true).orElseThrow();
        assertThat(owners.counts()).containsOnly(entry("host-1:1:1:0", 0));
        assertThat(two.owners("calls", 1, true).orElseThrow().members()).containsExactly("host-2:2:1:0");
    }

    @Test
    void shouldForgetAProcessWithoutALease() {
        WriterRegistry one = process(1);
        WriterRegistry two = process(2);
        one.participate("trades", true);
        two.participate("trades", true);
        assertThat(one.owners("trades", 2, true).orElseThrow().members()).hasSize(2);

        now += Duration.ofSeconds(5).toNanos();
        assertThat(one.owners("trades", 2, true).orElseThrow().members()).containsExactly("host-1:1:1:0");
        assertThat(leases.keys()).contains("host-2:2:1:0");

        now += Duration.ofSeconds(95).toNanos();
        assertThat(one.owners("trades", 2, true).orElseThrow().members()).containsExactly("host-1:1:1:0");
        assertThat(leases.keys()).containsExactly("host-1:1:1:0");
    }

    @Test
    void shouldRequireTheCurrentTerm() {
        WriterRegistry registry = process(1);
        Term first = granted(registry.claim(TRADES, true));
        registry.requireCurrent(first);

        Term second = granted(registry.claim(TRADES, true));
        assertThatExceptionOfType(SupersededException.class)
                .isThrownBy(() -> registry.requireCurrent(first))
                .isNotInstanceOf(StoreReopenedException.class)
                .withMessage("Term 'p:token-1:trades/0' has ended. Another process has taken over.");
        registry.requireCurrent(second);

        registry.forget(second);
        assertThatExceptionOfType(StoreReopenedException.class)
                .isThrownBy(() -> registry.requireCurrent(second))
                .withMessage("Writer 'trades/0' is not known on the servers: all of them have restarted.");
    }

    @Test
    void shouldLetAnotherProcessTakeOverOnceTheLeaseHasExpired() {
        granted(process(1).claim(TRADES, true));
        WriterRegistry two = process(2);
        assertThat(two.claim(TRADES, true).term()).isNull();
        now += Duration.ofSeconds(4).toNanos();
        leases.putOwn(new ProcessName("host-1", 1, 1, 0).text(), "1");
        assertThat(two.claim(TRADES, true).term()).isNull();
        now += Duration.ofSeconds(4).toNanos();
        assertThat(two.claim(TRADES, true).term()).isNull();
        now += Duration.ofSeconds(1).toNanos();

        assertThat(granted(two.claim(TRADES, true)).epoch()).isEqualTo(2);
    }

    /** A process with several pipelines has one lease. */
    @Test
    void shouldLetOthersTakeOverAllWritersOfAProcessAtTheSameTime() {
        WriterRegistry one = process(1);
        WriterRegistry two = process(2);
        WriterRegistry three = process(3);
        for (int i = 0; i < 3; i++) {
            granted(one.claim(WriterName.of("pipeline-" + i, 0), true));
            assertThat(two.claim(WriterName.of("pipeline-" + i, 0), true).term())
                    .isNull();
            assertThat(three.claim(WriterName.of("pipeline-" + i, 0), true).term())
                    .isNull();
        }
        now += Duration.ofSeconds(5).toNanos();

        granted(two.claim(WriterName.of("pipeline-0", 0), true));
        granted(two.claim(WriterName.of("pipeline-1", 0), true));
        granted(three.claim(WriterName.of("pipeline-2", 0), true));
    }

    @Test
    void shouldTakeOverAtOnceFromAProcessThatHasEndedOnThisMachine() throws Exception {
        ProcessName self = ProcessName.self();
        assertThat(self.machine()).as("known on Linux").isNotZero();
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        granted(process(new ProcessName("here", ended.pid(), 1, self.machine())).claim(TRADES, true));

        assertThat(granted(process(2).claim(TRADES, true)).epoch()).isEqualTo(2);
    }

    @Test
    void shouldGiveEveryWriterANumberOfItsOwn() {
        WriterRegistry registry = process(1);
        Set<Integer> numbers = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            Term term = granted(registry.claim(WriterName.of("pipeline-" + i, 0), i % 3 == 0));
            WriterName measure = term.writer().part("measure");
            assertThat(numbers.add(term.number())).isTrue();
            assertThat(numbers.add(registry.number(measure, term))).isTrue();
            assertThat(registry.number(measure, term)).isEqualTo(registry.number(measure, term));
        }
    }

    @Test
    void shouldTakeNoOtherProof() {
        WriterRegistry registry = process(1);
        Term term = granted(registry.claim(TRADES, true));
        String proof = term.proof();
        WriterName part = TRADES.part("measure"); // has a number only
        registry.number(part, term);

        for (String other : new String[] {
            "",
            "p",
            "p:",
            "p::trades/0",
            "m" + proof.substring(1),
            proof + "x",
            proof.replace("token-1", "token-"),
            proof.replace("token-1", "token-11"),
            "p:token-1:other/0",
            "p:-:" + part.text()
        }) {
            assertThat(registry.isCurrent(other)).as(other).isFalse();
        }
    }
}
