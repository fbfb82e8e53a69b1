package io.millrace.config.binding;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** Describes every mistake of the configuration, and its place, where a start fails. */
final class ConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<ConfigurationException> {

    private final ProblemReport report;

    ConfigurationFailureAnalyzer(Environment environment) {
        this.report = new ProblemReport(new Origins(environment));
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, ConfigurationException cause) {
        return new FailureAnalysis(
                report.describe(cause),
                "Correct what is listed and start again. `millrace check FILE` reports the same without starting anything.",
                cause);
    }
}
