package io.millrace.store.geode.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.millrace.store.geode.guard.MemberLease.Voters;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemberLeaseTest {

    private static final long SECOND = 1_000_000_000;

    /** Starts near the largest value, after which the real clock continues with the smallest. */
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 3 * SECOND);

    private final MemberLease lease = new MemberLease(now::get, Duration.ofSeconds(4));

    private void pass(double seconds) {
        now.addAndGet((long) (seconds * SECOND));
    }

    /** The lead of three servers, and the locator. */
    private static final Voters MEMBERS = new Voters(15, Map.of("b", 10, "c", 10, "locator", 3));

    private void join() {
        lease.members(4);
        lease.members(MEMBERS);
    }

    private void ask(String... answering) {
        int request = lease.ask();
        for (String member : answering) {
            lease.answered(member, request);
        }
    }

    @Test
    void shouldBeHeldOutsideOfClusters() {
        MemberLease alone = new MemberLease(now::get, Duration.ZERO);
        assertThat(alone.held()).isTrue();
        alone.members(1);
        pass(100);
        assertThat(alone.held()).isTrue();
        alone.members(2);
        pass(100);
        assertThat(alone.held()).isTrue();
    }

    @Test
    void shouldBeHeldWithoutOtherMembers() {
        pass(100);
        assertThat(lease.held()).isTrue();
        lease.members(2);
        assertThat(lease.held()).isTrue();
        pass(5);
        assertThat(lease.held()).isFalse();
        lease.members(1);
        assertThat(lease.held()).isTrue();
    }

    @Test
    void shouldBeExtendedByEachAnsweredRound() {
        join();
        for (int i = 0; i < 10; i++) {
            pass(4);
            assertThat(lease.held()).isTrue();
            ask("b");
        }
    }

    @Test
    void shouldEndWithoutAnswers() {
        join();
        pass(1);
        ask();
        pass(3);
        assertThat(lease.held()).isTrue();
        pass(0.001);
        assertThat(lease.held()).isFalse();
    }

    @Test
    void shouldLastFromTheRequestOnAndNotFromTheAnswer() {
        join();
        int request = lease.ask();
        pass(3);
        lease.answered("b", request);
        pass(1);
        assertThat(lease.held()).isTrue();
        pass(0.001);
        assertThat(lease.held()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # own weight | weights of the others | answering | whether that is half of the weight
            15 | b=10,c=10,locator=3   | b         | true
            15 | b=10,c=10,locator=3   | locator   | false
            10 | b=15,c=10,locator=3   | b         | true
            10 | b=15,c=10,locator=3   | c         | true
            10 | b=15,c=10,locator=3   | locator   | false
            15 | b=10,locator=3        | locator   | true
            10 | b=15,locator=3        | locator   | false
            10 | b=15,locator=3        | b         | true
            15 | locator=3             | locator   | true
            15 | b=10,c=10,d=10,locator=3 | locator  | false
            15 | b=10,c=10,d=10,locator=3 | b        | true
            10 | b=15,c=10,d=10,locator=3 | c        | false
            10 | b=15,c=10,d=10,locator=3 | c,locator | false
            10 | b=15,c=10,d=10,locator=3 | c,d      | true
            10 | b=10                  | b         | true
            """)
    void shouldNeedHalfOfTheWeight(int own, String others, String answering, boolean enough) {
        Map<Object, Integer> weights = Arrays.stream(others.split(","))
                .collect(Collectors.toMap(
                        member -> member.substring(0, member.indexOf('=')),
                        member -> Integer.valueOf(member.substring(member.indexOf('=') + 1))));
        lease.members(weights.size() + 1);
        lease.members(new Voters(own, weights));
        pass(3);
        ask(answering.split(","));
        pass(3);
        assertThat(lease.held()).isEqualTo(enough);
    }

    @Test
    void shouldCountTheRoundThatEachHasAnsweredLast() {
        lease.members(5);
        lease.members(new Voters(10, Map.of("b", 10, "c", 10, "d", 10, "e", 10)));
        pass(1);
        ask("b");
        pass(1);
        ask("c");
        // Half have answered since the first round.
        pass(3);
        assertThat(lease.held()).isTrue();
        pass(0.001);
        assertThat(lease.held()).isFalse();
    }

    @Test
    void shouldNotBeExtendedByOthersOrByOtherNumbers() {
        join();
        pass(2);
        int request = lease.ask();
        lease.answered("stranger", request);
        lease.answered("b", request + 1);
        lease.answered("b", request - 1);
        lease.answered("b", -1);
        lease.answered("b", 0);
        pass(3);
        assertThat(lease.held()).isFalse();
    }

    @Test
    void shouldIgnoreAnswersToRoundsLongAgo() {
        join();
        int first = lease.ask();
        for (int i = 0; i < 20; i++) {
            lease.ask();
        }
        pass(3);
        lease.answered("b", first);
        pass(2);
        assertThat(lease.held()).isFalse();
    }

    @Test
    void shouldForgetAnswersOfMembersThatHaveLeft() {
        lease.members(4);
        lease.members(new Voters(10, Map.of("b", 10, "c", 10, "d", 10)));
        pass(3);
        ask("b");
        lease.members(new Voters(10, Map.of("c", 10, "d", 10)));
        ask("d");
        pass(4);
        assertThat(lease.held()).isTrue();
        lease.members(new Voters(10, Map.of("b", 10, "c", 10, "d", 10)));
        pass(0.001);
        assertThat(lease.held()).isFalse();
    }

    @Test
    void shouldBeHeldAgainOnceEnoughOfThoseThatAreLeftHaveAnswered() {
        lease.members(3);
        lease.members(new Voters(10, Map.of("lead", 15, "locator", 3)));
        pass(1);
        ask("locator");
        pass(3);
        ask("locator");
        pass(0.001);
        assertThat(lease.held()).isFalse();
        lease.members(new Voters(15, Map.of("locator", 3)));
        assertThat(lease.held()).isFalse();
        pass(2);
        ask("locator");
        assertThat(lease.held()).isTrue();
    }

    @Test
    void shouldNotBeginAgainWithFirstAnswers() {
        join();
        pass(10);
        for (int i = 0; i < 20; i++) {
            ask("b", "c", "locator");
            assertThat(lease.held()).isFalse();
            pass(0.09);
        }
    }

    @Test
    void shouldNotBeginAgainWithAnswersThatHaveWaited() {
        join();
        pass(1);
        int first = lease.ask();
        pass(2.5);
        int second = lease.ask();
        pass(10);
        lease.answered("b", first);
        lease.answered("b", second);
        assertThat(lease.held()).isFalse();
    }

    @Test
    void shouldBeginAgainWithALaterRound() {
        join();
        pass(10);
        ask("b");
        pass(2);
        ask("b");
        assertThat(lease.held()).isTrue();
    }

    @Test
    void shouldNotBeginAgainWithARoundAfterAnotherSilence() {
        join();
        pass(10);
        ask("b");
        pass(4.5);
        ask("b");
        assertThat(lease.held()).isFalse();
        pass(2);
        ask("b");
        assertThat(lease.held()).isTrue();
    }

    @Test
    void shouldNotBeHeldForWhatWasReadBeforeAnotherOneBegan() {
        MemberLease before = MemberLease.current();
        MemberLease.begin(Duration.ZERO);
        assertThat(MemberLease.current()).isNotSameAs(before);
    }

    @Test
    void shouldEndAWaitOnceItIsHeld() {
        join();
        assertThatNoException().isThrownBy(() -> lease.await(() -> true));
        pass(10);
        ask("b");
        assertThatNoException()
                .isThrownBy(() -> lease.await(() -> {
                    pass(1);
                    ask("b");
                    return false;
                }));
        assertThat(lease.held()).isTrue();
    }

    @Test
    void shouldEndAWaitThatIsUseless() {
        join();
        pass(10);
        assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(() -> lease.await(() -> true));
    }

    @Test
    void shouldEndAWaitAfterFourTimeouts() {
        join();
        pass(10);
        AtomicLong waited = new AtomicLong();
        assertThatExceptionOfType(InterruptedIOException.class)
                .isThrownBy(() -> lease.await(() -> {
                    pass(1);
                    return waited.incrementAndGet() > 100;
                }))
                .withMessage("This server may have been removed from its cluster.");
        assertThat(waited).hasValueBetween(16, 17);
    }

    @Test
    void shouldEndAWaitOfAnInterruptedThread() {
        join();
        pass(10);
        Thread.currentThread().interrupt();
        try {
            assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(() -> lease.await(() -> false));
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
