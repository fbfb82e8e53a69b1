package io.millrace.nemesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class NemesesTest {

    private final Set<String> active = Collections.synchronizedSet(new TreeSet<>());
    private final Set<String> struck = Collections.synchronizedSet(new HashSet<>());

    private Nemesis nemesis(String name) {
        return Nemesis.of(
                name,
                () -> {
                    active.add(name);
                    struck.add(name);
                },
                () -> active.remove(name));
    }

    @Test
    void shouldLetEachPairOfDifferentTargetsActOnce() throws Exception {
        Nemeses nemeses = new Nemeses(1)
                .add("one", nemesis("kill one"), nemesis("pause one"))
                .add("two", nemesis("kill two"))
                .add("clock", nemesis("clock"));
        Set<String> pairs = new HashSet<>();
        for (int i = 0; i < 5; i++) {
            struck.clear();
            nemeses.strike(2, 4, () -> assertThat(active).isEmpty());
            assertThat(struck).hasSize(2).isNotEqualTo(Set.of("kill one", "pause one"));
            pairs.add(new TreeSet<>(struck).toString());
        }
        assertThat(pairs).hasSize(5);
        assertThat(nemeses.toString()).startsWith("5 strikes, ");
    }

    @Test
    void shouldLetEachActAlone() throws Exception {
        Nemeses nemeses = new Nemeses(1).add("one", nemesis("kill one"), nemesis("pause one"));
        for (int i = 0; i < 2; i++) {
            nemeses.strike(1, 4, () -> {});
        }
        assertThat(struck).containsExactlyInAnyOrder("kill one", "pause one");
    }

    @Test
    void shouldLeaveOutThoseWithOtherNames() throws Exception {
        Nemeses nemeses = new Nemeses(1, "pause").add("one", nemesis("kill one"), nemesis("pause one"));
        for (int i = 0; i < 2; i++) {
            nemeses.strike(1, 4, () -> {});
        }
        assertThat(struck).containsExactly("pause one");
    }

    @Test
    void shouldLetEachActAloneAndInEachPairIfBothTakeTurns() throws Exception {
        Nemeses nemeses = new Nemeses(1)
                .add("one", nemesis("kill one"))
                .add("two", nemesis("kill two"))
                .add("clock", nemesis("clock"));
        Set<Set<String>> strikes = new HashSet<>();
        for (int i = 0; i < 6; i++) {
            struck.clear();
            int together = 1 + i % 2;
            nemeses.strike(together, 4, () -> {});
            assertThat(struck).hasSize(together);
            strikes.add(Set.copyOf(struck));
        }
        assertThat(strikes).hasSize(6);
    }

    @Test
    void shouldReportAFailure() {
        Nemeses nemeses = new Nemeses(1)
                .add(
                        "one",
                        Nemesis.of(
                                "bad",
                                () -> {
                                    throw new IOException("no such process");
                                },
                                () -> {}));
        assertThatThrownBy(() -> nemeses.strike(1, 4, () -> {})).hasMessage("no such process");
    }
}
