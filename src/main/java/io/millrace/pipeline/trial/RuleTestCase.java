package io.millrace.pipeline.trial;

import java.util.ArrayList;
import java.util.List;

/**
 * A test of the rules of a pipeline.
 *
 * @param name name of the test
 * @param property path of the test in the configuration
 * @param record bytes of the record that the pipeline receives
 * @param expected what is expected to become of it: one for each record that leaves the steps, in the order of
 *     {@link PipelineTrial#run}
 */
public record RuleTestCase(String name, String property, byte[] record, List<Expectation> expected) {

    public RuleTestCase {
        expected = List.copyOf(expected);
    }

    /** Runs the test, and returns how the result differs from what is expected; empty if the test passes. */
    public List<String> run(PipelineTrial trial) {
        List<Outcome> outcomes = trial.run(record);
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < Math.min(expected.size(), outcomes.size()); i++) {
            differences.addAll(expected.get(i).differences(outcomes.get(i)));
        }
        outcomes.stream()
                .skip(expected.size())
                .forEach(outcome -> differences.add("not expected: " + outcome.describe()));
        expected.stream()
                .skip(outcomes.size())
                .forEach(
                        missing -> differences.add("expected " + missing.describe() + ", but there is no such record"));
        return differences;
    }
}
