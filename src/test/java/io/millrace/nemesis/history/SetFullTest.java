package io.millrace.nemesis.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.nemesis.history.Operation.Kind;
import io.millrace.nemesis.history.Operation.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class SetFullTest {

    private static final List<Operation> TWO = List.of(add(1, 0, 10, Outcome.OK), add(2, 20, 30, Outcome.OK));

    private static Operation add(long element, long invoked, long returned, Outcome outcome) {
        return new Operation(0, Kind.WRITE, element, 0, invoked, returned, outcome);
    }

    private static SetRead read(long invoked, long returned, long... elements) {
        return new SetRead("a", 0, 100, elements, invoked, returned);
    }

    private static void refuse(String error, List<Operation> additions, SetRead... reads) {
        assertThatThrownBy(() -> SetFull.require(additions, List.of(reads)))
                .isInstanceOf(AssertionError.class)
                .hasMessageMatching("1 errors: " + error);
    }

    @Test
    void shouldAcceptReadsOfAllThatWasAcknowledged() {
        assertThat(SetFull.require(TWO, List.of(read(11, 12, 1), read(25, 26, 1), read(31, 32, 2, 1))))
                .isEqualTo(new SetFull(2, 2, 0, 3, 0));
    }

    @Test
    void shouldRefuseALostElement() {
        refuse("lost: 1 .*missing in 1 of 1 later reads.*also in the last one.*", TWO, read(31, 32, 2));
        refuse(
                "lost: 1 .*missing in 1 of 2 later reads.*not in the last one.*\\{a at .*=1}.*",
                TWO,
                read(31, 32, 2),
                read(33, 34, 1, 2));
    }

    @Test
    void shouldRefuseAnElementThatDisappears() {
        refuse("lost: 2 .*", TWO, read(21, 22, 1, 2), read(23, 24, 1));
        refuse("lost: 1 .*", List.of(add(1, 0, Long.MAX_VALUE, Outcome.UNKNOWN)), read(1, 2, 1), read(3, 4));
    }

    @Test
    void shouldAcceptThatOverlappingReadsDiffer() {
        assertThat(SetFull.require(TWO, List.of(read(21, 40, 1, 2), read(22, 39, 1))))
                .isNotNull();
    }

    @Test
    void shouldRefuseADoubledElement() {
        refuse("doubled: 2", TWO, read(31, 32, 1, 2, 2));
    }

    @Test
    void shouldRefuseAnElementThatNobodyAddedOrNotYet() {
        refuse("not added: 3", TWO, read(31, 32, 1, 2, 3));
        refuse("not added: 2", TWO, read(11, 12, 1, 2));
    }

    @Test
    void shouldAcceptThatAnUnknownElementIsThereOrNot() {
        List<Operation> unknown = List.of(add(1, 0, Long.MAX_VALUE, Outcome.UNKNOWN));
        assertThat(SetFull.require(unknown, List.of(read(1, 2)))).isEqualTo(new SetFull(1, 0, 0, 1, 0));
        assertThat(SetFull.require(unknown, List.of(read(1, 2), read(3, 4, 1)))).isEqualTo(new SetFull(1, 0, 1, 2, 0));
    }

    @Test
    void shouldRequireNothingOutsideThePartThatWasRead() {
        SetRead part = new SetRead("b", 2, 3, new long[] {2}, 31, 32);
        assertThat(SetFull.require(TWO, List.of(part))).isEqualTo(new SetFull(2, 2, 0, 1, 1));
    }
}
