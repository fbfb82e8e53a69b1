package io.millrace.nemesis.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.nemesis.history.Operation.Kind;
import io.millrace.nemesis.history.Operation.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LinearizabilityTest {

    private static Operation write(long value, long invoked, long returned) {
        return new Operation(0, Kind.WRITE, 1, value, invoked, returned, Outcome.OK);
    }

    private static Operation read(long value, long invoked, long returned) {
        return new Operation(1, Kind.READ, 1, value, invoked, returned, Outcome.OK);
    }

    private static Operation unknown(long value, long invoked) {
        return new Operation(2, Kind.WRITE, 1, value, invoked, Long.MAX_VALUE, Outcome.UNKNOWN);
    }

    private static Operation failed(long value, long invoked, long returned) {
        return new Operation(2, Kind.WRITE, 1, value, invoked, returned, Outcome.FAIL);
    }

    private static void accept(Operation... operations) {
        assertThat(Linearizability.isLinearizable(List.of(operations))).isTrue();
    }

    private static void refuse(Operation... operations) {
        assertThat(Linearizability.isLinearizable(List.of(operations))).isFalse();
    }

    @Test
    void shouldAcceptWhatWasWrittenLast() {
        accept();
        accept(read(Operation.ABSENT, 0, 1), write(1, 2, 3), read(1, 4, 5), write(2, 6, 7), read(2, 8, 9));
    }

    @Test
    void shouldRefuseAStaleRead() {
        refuse(write(1, 0, 1), write(2, 2, 3), read(1, 4, 5));
    }

    @Test
    void shouldRefuseALostWrite() {
        refuse(write(1, 0, 1), read(Operation.ABSENT, 2, 3));
    }

    @Test
    void shouldRefuseAValueThatNobodyWrote() {
        refuse(write(1, 0, 1), read(3, 2, 3));
    }

    @Test
    void shouldAcceptEitherValueDuringAWrite() {
        accept(write(1, 0, 1), write(2, 2, 10), read(1, 3, 4), read(2, 5, 6));
        accept(write(1, 0, 10), write(2, 0, 10), read(2, 11, 12));
        accept(write(1, 0, 10), write(2, 0, 10), read(1, 11, 12));
    }

    @Test
    void shouldRefuseAReadThatGoesBackDuringAWrite() {
        refuse(write(1, 0, 1), write(2, 2, 10), read(2, 3, 4), read(1, 5, 6));
    }

    @Test
    void shouldRefuseAWriteThatTakesEffectTwice() {
        refuse(write(1, 0, 20), write(2, 2, 4), read(1, 1, 1), read(2, 5, 6), read(1, 7, 8), read(2, 9, 10));
        refuse(unknown(1, 0), read(1, 1, 2), write(2, 3, 4), read(2, 5, 6), read(1, 7, 8));
    }

    @Test
    void shouldAcceptThatAnUnknownWriteTakesEffectLateOrNever() {
        accept(write(1, 0, 1), unknown(2, 2), read(1, 3, 4), read(1, 100, 101));
        accept(write(1, 0, 1), unknown(2, 2), read(1, 3, 4), read(2, 100, 101));
        accept(write(1, 0, 1), unknown(2, 2), write(3, 3, 4), read(3, 5, 6), read(2, 100, 101));
    }

    @Test
    void shouldRefuseAnUnknownWriteBeforeItsCallAndAFailedOne() {
        refuse(write(1, 0, 1), read(2, 2, 3), unknown(2, 4));
        refuse(write(1, 0, 1), failed(2, 2, 3), read(2, 4, 5));
    }

    /** A register that is accessed under a lock by random clients, some of whose answers get lost. */
    @Test
    void shouldAcceptHistoriesOfARealRegisterAndRefuseThemWithOneWrongRead() {
        Random random = new Random(1);
        int refused = 0;
        for (int round = 0; round < 200; round++) {
            List<Operation> history = simulate(random, 60);
            assertThat(Linearizability.isLinearizable(history))
                    .as(history.toString())
                    .isTrue();
            List<Operation> wrong = new ArrayList<>(history);
            int at = random.nextInt(wrong.size());
            Operation operation = wrong.get(at);
            if (operation.kind() == Kind.READ) {
                wrong.set(at, read(1_000_000, operation.invoked(), operation.returned()));
                assertThat(Linearizability.isLinearizable(wrong)).isFalse();
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(50);
    }

    private static List<Operation> simulate(Random random, int count) {
        List<Operation> history = new ArrayList<>();
        long value = Operation.ABSENT;
        for (int i = 1; i <= count; i++) {
            long effect = 100L * i;
            long invoked = effect - random.nextInt(500);
            long returned = effect + random.nextInt(500);
            if (random.nextBoolean()) {
                boolean lost = random.nextInt(10) == 0;
                if (!lost || random.nextBoolean()) {
                    value = i;
                }
                history.add(lost ? unknown(i, invoked) : write(i, invoked, returned));
            } else {
                history.add(read(value, invoked, returned));
            }
        }
        return history;
    }

    @Test
    void shouldNameTheRegisterAndItsHistory() {
        assertThatThrownBy(() -> Linearizability.require(Map.of(7L, List.of(write(1, 0, 1000), read(2, 2000, 3000)))))
                .hasMessage("""
                    The history of register 7 is not linearizable:
                    0 to 1 us: client 0 WRITE 1 OK
                    2 to 3 us: client 1 READ 2 OK
                    """);
    }
}
