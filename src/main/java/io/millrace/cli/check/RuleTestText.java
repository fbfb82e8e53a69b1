package io.millrace.cli.check;

import io.millrace.cli.check.RuleTestReport.Result;
import io.millrace.cli.check.RuleTestReport.Uncovered;
import java.util.List;
import java.util.stream.Collectors;

/** Formats the results of tests of rules for a terminal. */
final class RuleTestText {

    private RuleTestText() {}

    static String of(List<RuleTestReport> reports) {
        return reports.stream().map(RuleTestText::of).collect(Collectors.joining("\n\n"));
    }

    private static String of(RuleTestReport report) {
        List<Result> failed = report.tests().stream()
                .filter(test -> !test.differences().isEmpty())
                .toList();
        int all = report.tests().size();
        StringBuilder text = new StringBuilder()
                .append("Pipeline ")
                .append(report.pipeline())
                .append(": ")
                .append(all - failed.size())
                .append(" passed, ")
                .append(failed.size())
                .append(" failed");
        failed.forEach(test -> {
            text.append("\n\n  FAILED  ").append(test.name()).append("\n    ").append(test.property());
            test.differences().forEach(difference -> text.append("\n    ").append(difference));
        });
        if (!report.uncovered().isEmpty()) {
            text.append("\n\n  Conditions that the tests do not cover:");
            report.uncovered().forEach(condition -> text.append("\n    ").append(of(condition)));
        }
        return text.toString();
    }

    private static String of(Uncovered uncovered) {
        String what = uncovered.result().equals("any") ? "never evaluated" : "never " + uncovered.result();
        return uncovered.step() + " " + what + ": " + uncovered.condition();
    }
}
