package io.millrace.background;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class BackgroundTaskTest {

    private static final Logger LOG = (Logger) LoggerFactory.getLogger(BackgroundTask.class);

    private final BackgroundTask task = new BackgroundTask("test-task");

    @AfterEach
    void reset() {
        LOG.setLevel(null);
        OutOfMemory.setHandler(null);
    }

    @Test
    void shouldCatchErrorsAndShowTheLast() {
        task.run(() -> {
            throw new NoClassDefFoundError("org/example/Missing");
        });

        BackgroundTask.Status status = task.status();
        assertThat(status.failing()).isTrue();
        assertThat(status.failures()).isOne();
        assertThat(status.lastFailure()).isEqualTo("java.lang.NoClassDefFoundError: org/example/Missing");
        assertThat(status.lastFailureTime()).isNotNull();
    }

    @Test
    void shouldLogAFailureThatRepeatsOnceAndItsEnd(CapturedOutput output) {
        LOG.setLevel(Level.INFO);
        for (int i = 0; i < 5; i++) {
            task.run(() -> {
                throw new IllegalStateException("no luck");
            });
        }
        assertThat(output.getAll())
                .containsOnlyOnce("Background task test-task failed")
                .contains("no luck");
        task.run(() -> {
            throw new IllegalStateException("another");
        });
        assertThat(output.getAll()).contains("continues with its next run: java.lang.IllegalStateException: another");

        task.run(() -> {});
        assertThat(output.getAll()).containsOnlyOnce("Background task test-task recovered: failures=6");
        assertThat(task.status().failing()).isFalse();
        assertThat(task.status().lastFailure()).endsWith("another");
    }

    @Test
    void shouldReportThatMemoryIsExhausted() {
        AtomicReference<@Nullable OutOfMemoryError> reported = new AtomicReference<>();
        OutOfMemory.setHandler(reported::set);
        task.run(() -> {
            throw new IllegalStateException("wrapped", new OutOfMemoryError("Java heap space"));
        });
        assertThat(reported.get()).hasMessage("Java heap space");
    }

    @Test
    void shouldNotReportWhatConcernsOneThreadOnly() {
        AtomicReference<@Nullable OutOfMemoryError> reported = new AtomicReference<>();
        OutOfMemory.setHandler(reported::set);
        OutOfMemory.report(new OutOfMemoryError("unable to create native thread"));
        OutOfMemory.report(new OutOfMemoryError("Requested array size exceeds VM limit"));
        OutOfMemory.report(new OutOfMemoryError());
        OutOfMemory.report(new StackOverflowError());
        OutOfMemory.report(null);
        assertThat(reported.get()).isNull();
    }

    @Test
    void shouldEndTheSearchForACauseWhereCausesAreCircular() {
        AtomicReference<@Nullable OutOfMemoryError> reported = new AtomicReference<>();
        OutOfMemory.setHandler(reported::set);
        RuntimeException first = new RuntimeException("first");
        first.initCause(new RuntimeException("second", first));
        OutOfMemory.report(first);
        assertThat(reported.get()).isNull();
    }
}
