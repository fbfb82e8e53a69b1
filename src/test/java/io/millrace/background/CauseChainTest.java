package io.millrace.background;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CauseChainTest {

    @Test
    void shouldEndWhereCausesAreCircular() {
        Exception disk = new Exception("disk");
        Exception cache = new Exception("cache", disk);
        disk.initCause(cache);

        assertThat(CauseChain.of(cache)).containsExactly(cache, disk);
        assertThat(CauseChain.of(disk)).containsExactly(disk, cache);
        assertThat(CauseChain.of(new Exception("alone"))).hasSize(1);
    }
}
