package io.millrace.store.geode.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MemberLeaseTest {

    private static final long SECOND = 1_000_000_000;

    /** Starts near the largest value, after which the real clock continues with the smallest. */
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 3 * SECOND);

    private final MemberLease lease = new MemberLease(now::get, Duration.ofSeconds(4));

    private void pass(double seconds) {
        now.addAndGet((long) (seconds * SECOND));
    }

    private void join() {
        lease.members(3);
    }

    @Test
    void shouldBeHeldOutsideOfClusters() {
        MemberLease alone = new MemberLease(now::get, Duration.ZERO);
        assertThat(alone.held()).isTrue();
        alone.members(1);
        pass(100);
        assertThat(alone.held()).isTrue();
        alone.heard();
        pass(100);
        alone.heard();
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
    void shouldBeExtendedByEachDatagram() {
        join();
        for (int i = 0; i < 10; i++) {
            pass(4);
            assertThat(lease.held()).isTrue();
            lease.heard();
        }
    }

    @Test
    void shouldEndAfterASilence() {
        join();
        pass(4);
        assertThat(lease.held()).isTrue();
        pass(0.001);
        assertThat(lease.held()).isFalse();
    }

    @Test
    void shouldNotBeginAgainWithDatagramsThatMayHaveWaited() {
        join();
        pass(10);
        for (int i = 0; i < 20; i++) {
            lease.heard();
            assertThat(lease.held()).isFalse();
            pass(0.09);
        }
        pass(3);
        assertThat(lease.held()).isFalse();
    }

    @Test
    void shouldBeginAgainWithADatagramThatWasSentLater() {
        join();
        pass(10);
        lease.heard();
        pass(2);
        lease.heard();
        assertThat(lease.held()).isTrue();
    }

    @Test
    void shouldNotBeginAgainByADatagramAfterAnotherSilence() {
        join();
        pass(10);
        lease.heard();
        pass(4.5);
        lease.heard();
        assertThat(lease.held()).isFalse();
        pass(2);
        lease.heard();
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
        lease.heard();
        assertThatNoException()
                .isThrownBy(() -> lease.await(() -> {
                    pass(1);
                    lease.heard();
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
