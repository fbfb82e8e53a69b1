package io.millrace.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.expression.error.FunctionException;
import io.millrace.store.error.StoreException;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/** Each failure of a start ends with one code. */
class FailureAnalyzersTest {

    @Test
    void shouldShowTheCodeOfAStoreThatCanNotBeOpened() {
        assertThat(described(new StoreFailureAnalyzer(), new StoreException("Geode can't be started: no port.")))
                .isEqualTo("The store can't be opened: Geode can't be started: no port. [unusable-store]");
    }

    @Test
    void shouldShowTheMorePreciseCode() {
        assertThat(described(
                        new StoreFailureAnalyzer(), new StoreException("Folder 'data' is in use. [locked-folder]")))
                .isEqualTo("The store can't be opened: Folder 'data' is in use. [locked-folder]");
    }

    @Test
    void shouldAdviseToStopTheProcessThatUsesTheFolder() {
        assertThat(Objects.requireNonNull(new StoreFailureAnalyzer()
                                .analyze(new StoreException("Folder 'data' is in use. [locked-folder]")))
                        .getAction())
                .isEqualTo("Stop the process that uses the folder, or set 'millrace.data' to another folder.");
    }

    @Test
    void shouldShowTheCodeOfAFunction() {
        assertThat(described(new FunctionFailureAnalyzer(), new FunctionException("half", "Invalid name.")))
                .isEqualTo("Function 'half': Invalid name. [invalid-function]");
    }

    private static String described(FailureAnalyzer analyzer, RuntimeException failure) {
        return Objects.requireNonNull(analyzer.analyze(failure)).getDescription();
    }
}
