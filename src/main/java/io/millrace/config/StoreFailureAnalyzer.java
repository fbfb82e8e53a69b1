package io.millrace.config;

import io.millrace.background.FailureCode;
import io.millrace.store.error.DefinitionChangedException;
import io.millrace.store.error.StoreException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Describes at the start why a region can't be opened. */
final class StoreFailureAnalyzer extends AbstractFailureAnalyzer<StoreException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, StoreException cause) {
        if (cause instanceof DefinitionChangedException) {
            return new FailureAnalysis(
                    String.valueOf(cause.getMessage()),
                    "Run `millrace check --against FOLDER CONFIG` to see all that the folder and the configuration"
                            + " differ in.",
                    cause);
        }
        String message = String.valueOf(cause.getMessage());
        if (message.endsWith("[" + FailureCode.LOCKED_FOLDER.code() + "]")) {
            return new FailureAnalysis(
                    "The store can't be opened: " + message,
                    "Stop the process that uses the folder, or set 'millrace.data' to another folder.",
                    cause);
        }
        return new FailureAnalysis(
                FailureCode.UNUSABLE_STORE.messageUnlessCoded("The store can't be opened: " + message),
                "Check the folder 'millrace.data'. If the schema of a pipeline's records has changed, rename the region,"
                        + " or start with another folder.",
                cause);
    }
}
