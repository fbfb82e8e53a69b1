package io.millrace.pipeline.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class FailuresTest {

    @Test
    void shouldDescribeEachCauseOnce() {
        Throwable root = new IOException("No space left.");
        Throwable cause = new IllegalStateException("The disk is full: No space left. [full-disk]", root);
        assertThat(Failures.describe(new IllegalStateException("The batch failed", cause)))
                .isEqualTo("The batch failed: The disk is full: No space left. [full-disk]");
    }

    @Test
    void shouldNameACauseWithoutAMessage() {
        assertThat(Failures.describe(new IllegalStateException("The batch failed", new IOException())))
                .isEqualTo("The batch failed: IOException");
    }
}
