package io.millrace.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FairShareTest {

    @Test
    void shouldGiveOneSenderItsShareAndTheNextOnesASmallerPart() {
        FairShare share = new FairShare(0.75);
        assertThat(share.limit(2_000, 0)).isEqualTo(1_500);
        assertThat(share.limit(2_000, 1_500)).isEqualTo(375);
        assertThat(share.limit(2_000, 1_875)).isEqualTo(93);
        assertThat(share.limit(2_000, 3_000)).isZero();
    }

    @Test
    void shouldAdmitWhoHoldsNothingAsLongAsThereIsSpace() {
        FairShare least = new FairShare(Double.MIN_VALUE);
        assertThat(least.admits(10, 9, 0, 1)).isTrue();
        assertThat(least.admits(10, 10, 0, 1)).isFalse();
        assertThat(least.admits(10, 9, 1, 1)).isFalse();

        FairShare all = new FairShare(1);
        assertThat(all.admits(10, 9, 9, 1)).isTrue();
        assertThat(all.admits(10, 10, 10, 1)).isFalse();
        assertThat(all.admits(Long.MAX_VALUE, 1, 1, 1)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -0.1, 1.01, Double.NaN})
    void shouldRefuseWhatIsNoShare(double share) {
        assertThatIllegalArgumentException().isThrownBy(() -> new FairShare(share));
    }

    /** Senders that take all they get, in any order and to any extent: the next one still gets in. */
    @Property(tries = 500)
    void shouldLeaveSpaceForOneMore(
            @ForAll @DoubleRange(min = 0.01, max = 0.9) double percent,
            @ForAll @IntRange(min = 1, max = 6) int senders,
            @ForAll Random random) {
        FairShare share = new FairShare(percent);
        int capacity = 1_000_000_000;
        long[] held = new long[senders];
        for (int step = 0; step < 500; step++) {
            int sender = random.nextInt(senders);
            long all = Arrays.stream(held).sum();
            long added = random.nextBoolean() ? 1 : 1 + random.nextInt(capacity);
            long most = share.limit(capacity, all - held[sender]);
            long wanted = random.nextBoolean() ? added : Math.max(1, most - held[sender]);
            if (held[sender] > 0 && random.nextInt(10) == 0) {
                held[sender] = 0;
            } else if (share.admits(capacity, all, held[sender], Math.min(wanted, Math.max(1, most)))) {
                held[sender] += Math.min(wanted, Math.max(1, most));
            }
            long now = Arrays.stream(held).sum();
            assertThat(share.admits(capacity, now, 0, 1)).isTrue();
        }
    }
}
