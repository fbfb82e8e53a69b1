package io.millrace.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class BlockKeyTest {

    @Test
    void shouldHoldPipelinePartitionAndSequence() {
        long key = BlockKey.first("trades", 4095) + 17;

        assertThat(BlockKey.partition(key)).isEqualTo(4095);
        assertThat(BlockKey.sequence(key)).isEqualTo(17);
        assertThat(key >>> 48).isEqualTo(BlockKey.pipelineHash("trades"));
        assertThat(BlockKey.format(key)).isEqualTo("%04x/4095/17".formatted(BlockKey.pipelineHash("trades")));
    }

    @Test
    void shouldTellWritersApart() {
        long key = BlockKey.first("trades", 1);

        assertThat(BlockKey.sameWriter(key, key + 1_000_000)).isTrue();
        assertThat(BlockKey.sameWriter(key, BlockKey.first("trades", 2))).isFalse();
        assertThat(BlockKey.sameWriter(key, BlockKey.first("events", 1))).isFalse();
    }

    @Test
    void shouldRefuseAPartitionThatHasNoRoom() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlockKey.first("trades", 4096))
                .withMessageContaining("partition=4096");
    }
}
