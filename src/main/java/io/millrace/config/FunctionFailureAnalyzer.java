package io.millrace.config;

import io.millrace.background.FailureCode;
import io.millrace.expression.error.FunctionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Describes at the start why a function can't be registered. */
final class FunctionFailureAnalyzer extends AbstractFailureAnalyzer<FunctionException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, FunctionException cause) {
        return new FailureAnalysis(
                FailureCode.INVALID_FUNCTION.message(String.valueOf(cause.getMessage())),
                "Correct the function, which is a bean of type ExpressionFunction or from a FunctionProvider, and restart.",
                cause);
    }
}
