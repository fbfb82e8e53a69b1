package io.millrace.config;

import java.util.stream.Collectors;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** Describes at the start every mistake in the configuration, with its place. */
final class ConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<ConfigurationException> {

    private final ProblemReport report;

    ConfigurationFailureAnalyzer(Environment environment) {
        this.report = new ProblemReport(new Origins(environment));
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, ConfigurationException cause) {
        String problems = cause.problems().stream().map(report::describe).collect(Collectors.joining("\n"));
        return new FailureAnalysis(
                ProblemReport.count(cause.problems().size()) + ":\n\n" + problems,
                "Mend what is listed and start again; `millrace check FILE` tells the same without starting anything.",
                cause);
    }
}
