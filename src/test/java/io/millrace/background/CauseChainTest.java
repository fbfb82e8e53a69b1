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

    @Test
    void shouldSetNoRootCauseThatWouldBeCircular() {
        Exception disk = new Exception("disk");
        Exception cache = new Exception("cache", disk);
        CauseChain.setRoot(cache, cache);
        CauseChain.setRoot(cache, disk);
        assertThat(disk.getCause()).isNull();

        Exception reason = new Exception("reason");
        CauseChain.setRoot(cache, reason);
        assertThat(CauseChain.of(cache)).containsExactly(cache, disk, reason);
    }
}
