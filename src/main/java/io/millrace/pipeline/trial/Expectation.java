package io.millrace.pipeline.trial;

import io.millrace.codec.RejectReason.Kind;
import io.millrace.pipeline.trial.Outcome.Dropped;
import io.millrace.pipeline.trial.Outcome.Rejected;
import io.millrace.pipeline.trial.Outcome.Sent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a test expects to become of a record. */
public sealed interface Expectation {

    /** Returns how an outcome differs, a line for each difference; empty if it is as expected. */
    List<String> differences(Outcome outcome);

    /** Returns what is expected, in one line. */
    String describe();

    /**
     * The record reaches a target.
     *
     * @param target as in {@link Sent}
     * @param values expected values by field name, null for absent; other fields can have any value
     */
    record To(String target, Map<String, @Nullable Object> values) implements Expectation {

        @Override
        public List<String> differences(Outcome outcome) {
            if (!(outcome instanceof Sent sent) || !sent.target().equals(target)) {
                return List.of(other(this, outcome));
            }
            List<String> differences = new ArrayList<>();
            values.forEach((name, expected) -> {
                Object actual = sent.values().get(name);
                if (!Objects.deepEquals(expected, actual)) {
                    differences.add(name + ": expected " + Outcome.text(expected) + ", was " + Outcome.text(actual));
                }
            });
            return differences;
        }

        @Override
        public String describe() {
            return "to " + target;
        }
    }

    /** A rule drops the record. */
    record ToBeDropped() implements Expectation {

        @Override
        public List<String> differences(Outcome outcome) {
            return outcome instanceof Dropped ? List.of() : List.of(other(this, outcome));
        }

        @Override
        public String describe() {
            return "dropped";
        }
    }

    /** The record is rejected for a reason of this kind. */
    record ToBeRejected(Kind kind) implements Expectation {

        @Override
        public List<String> differences(Outcome outcome) {
            return outcome instanceof Rejected rejected && rejected.kind() == kind
                    ? List.of()
                    : List.of(other(this, outcome));
        }

        @Override
        public String describe() {
            return "rejected as " + kind.tag();
        }
    }

    private static String other(Expectation expected, Outcome outcome) {
        return "expected " + expected.describe() + ", was " + outcome.describe();
    }
}
