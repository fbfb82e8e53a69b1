package io.millrace.pipeline.trial;

import io.millrace.codec.RejectReason.Kind;
import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the steps of a pipeline did with a record. */
public sealed interface Outcome {

    /** Returns the outcome in one line, as a report shows it. */
    String describe();

    /**
     * The record reached a target.
     *
     * @param target name of the region, or {@code channel:} and the name of the channel
     * @param values values by field name, with those that steps added; null if absent
     */
    record Sent(String target, Map<String, @Nullable Object> values) implements Outcome {

        @Override
        public String describe() {
            return "to " + target
                    + values.entrySet().stream()
                            .map(value -> value.getKey() + "=" + text(value.getValue()))
                            .collect(Collectors.joining(", ", " (", ")"));
        }
    }

    /**
     * A rule dropped the record.
     *
     * @param step name of the step, such as {@code trades.1-filter}
     */
    record Dropped(String step) implements Outcome {

        @Override
        public String describe() {
            return "dropped by " + step;
        }
    }

    /** The record could not be processed. */
    record Rejected(Kind kind, String detail) implements Outcome {

        @Override
        public String describe() {
            return "rejected as " + kind.tag() + ": " + detail;
        }
    }

    /** Returns a value as reports show it: bytes as hexadecimal digits, decimals without exponent. */
    static String text(@Nullable Object value) {
        return switch (value) {
            case byte[] bytes -> HexFormat.of().formatHex(bytes);
            case BigDecimal decimal -> decimal.toPlainString();
            case List<?> list -> list.stream().map(Outcome::text).collect(Collectors.joining(", ", "[", "]"));
            case Map<?, ?> group ->
                group.entrySet().stream()
                        .map(member -> member.getKey() + "=" + text(member.getValue()))
                        .collect(Collectors.joining(", ", "{", "}"));
            case null, default -> String.valueOf(value);
        };
    }
}
