package io.millrace.store.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class BlockKeyTest {

    @Test
    void shouldHoldNumberAndSequence() {
        long key = BlockKey.first(4095) + 17;

        assertThat(BlockKey.number(key)).isEqualTo(4095);
        assertThat(BlockKey.sequence(key)).isEqualTo(17);
        assertThat(BlockKey.format(key)).isEqualTo("4095/17");
    }

    @Test
    void shouldDistinguishWriters() {
        long key = BlockKey.first(6);

        assertThat(BlockKey.sameWriter(key, key + 1_000_000)).isTrue();
        assertThat(BlockKey.sameWriter(key, BlockKey.first(7))).isFalse();
        assertThat(BlockKey.sameWriter(key, BlockKey.first(5) + 1)).isFalse();
    }

    /** A key below zero once kept a pipeline from starting: there is no key before the smallest long. */
    @Test
    void shouldBePositiveForEachNumber() {
        assertThat(BlockKey.first(0)).isZero();
        assertThat(BlockKey.first(BlockKey.MAX_NUMBER)).isPositive();
        assertThat(BlockKey.number(BlockKey.first(BlockKey.MAX_NUMBER) + 5)).isEqualTo(BlockKey.MAX_NUMBER);
    }

    @Test
    void shouldRefuseANumberThatIsTooLarge() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlockKey.first(BlockKey.MAX_NUMBER + 1))
                .withMessageContaining("134217728");
        assertThatIllegalArgumentException().isThrownBy(() -> BlockKey.first(-1));
    }
}
