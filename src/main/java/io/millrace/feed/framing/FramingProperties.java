package io.millrace.feed.framing;

import static io.millrace.schema.ProblemCode.INVALID_NUMBER;
import static io.millrace.schema.ProblemCode.INVALID_VALUE;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.NO_EFFECT;
import static io.millrace.schema.ProblemCode.SCHEMA_MISMATCH;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.millrace.codec.frame.Framing;
import io.millrace.extension.PropertyCheck;
import io.millrace.schema.Schema;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A framing with its properties.
 *
 * @param kind kind of framing; null if there is none
 * @param lengthPrefix length before each record, with {@link FramingKind#LENGTH_PREFIXED}
 * @param delimiter bytes after each record, with {@link FramingKind#DELIMITED}; each character is one byte
 */
public record FramingProperties(
        @Nullable FramingKind kind,
        @Nullable LengthPrefixProperties lengthPrefix,
        @Nullable String delimiter) {

    /** Reports what is wrong with the properties. */
    public void check(PropertyCheck check) {
        if (lengthPrefix != null && kind != FramingKind.LENGTH_PREFIXED) {
            noEffect("length-prefix", "length-prefixed", check);
        }
        if (delimiter != null && kind != FramingKind.DELIMITED) {
            noEffect("delimiter", "delimited", check);
        }
        if (kind == FramingKind.LENGTH_PREFIXED) {
            try {
                rule();
            } catch (IllegalArgumentException e) {
                check.problem(INVALID_NUMBER, "length-prefix.width", String.valueOf(e.getMessage()));
            }
        } else if (kind == FramingKind.DELIMITED && (delimiter == null || delimiter.isEmpty())) {
            check.problem(MISSING_VALUE, "delimiter", "Missing value: what ends each record, such as \"\\n\".");
        } else if (kind == FramingKind.DELIMITED && !ISO_8859_1.newEncoder().canEncode(delimiter)) {
            check.problem(
                    INVALID_VALUE,
                    "delimiter",
                    "Invalid delimiter. Use characters up to \\xFF: each stands for one byte.");
        }
    }

    private static void noEffect(String property, String framing, PropertyCheck check) {
        check.problem(
                NO_EFFECT,
                property,
                "'" + property + "' has no effect without 'framing: " + framing + "'. Set that, or remove it.");
    }

    /** Reports a framing that can't split records of a schema. */
    public void check(Schema schema, PropertyCheck check) {
        if (kind == FramingKind.FIXED && schema.baseLength() == 0) {
            check.problem(
                    SCHEMA_MISMATCH,
                    "framing",
                    "Framing 'fixed' needs records of one length, but those of schema '" + schema.name()
                            + "' vary. Use length-prefixed or delimited.");
        }
    }

    /**
     * Returns the rule.
     *
     * @throws IllegalArgumentException if the width of the length is invalid
     * @throws NullPointerException if there is no framing, or no delimiter
     */
    public Framing rule() {
        return switch (Objects.requireNonNull(kind)) {
            case FIXED -> new Framing.Fixed();
            case LENGTH_PREFIXED ->
                Objects.requireNonNullElse(lengthPrefix, LengthPrefixProperties.DEFAULT)
                        .rule();
            case DELIMITED ->
                new Framing.Delimited(Objects.requireNonNull(delimiter).getBytes(ISO_8859_1));
        };
    }
}
