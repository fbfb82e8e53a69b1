package io.millrace.kafka;

import static io.millrace.schema.ProblemCode.INVALID_NAME;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;

import io.millrace.extension.PropertyCheck;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Names of topics. */
public final class TopicName {

    private static final Pattern VALID = Pattern.compile("(?!\\.{1,2}$)[a-zA-Z0-9._-]{1,249}");

    private TopicName() {}

    /**
     * Reports a name that no topic can have. Returns whether there is a name.
     *
     * @param property that has the name
     */
    public static boolean check(@Nullable String name, String property, PropertyCheck check) {
        if (name == null || name.isBlank()) {
            check.problem(MISSING_VALUE, property, "Missing value: the name of a topic.");
            return false;
        }
        if (!VALID.matcher(name).matches()) {
            check.problem(
                    INVALID_NAME,
                    property,
                    "Invalid topic name '" + name + "'. Use up to 249 letters, digits and . _ - only.");
        }
        return true;
    }
}
