package io.millrace.view;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A value that its field does not allow, or a condition that a record or an element does not meet.
 *
 * @param path path of the field, such as {@code legs[2].rate}, or of the element, such as {@code legs[2]}; empty if the
 *     record as a whole is malformed or does not meet a condition
 * @param value the value; null if it can't be read, and for conditions
 * @param reason what is allowed, such as {@code Use 0 or more.}, or what is wrong, such as {@code Constraint
 *     'order-of-dates' is violated: the end must be after the start.}
 */
@API(status = API.Status.STABLE)
public record Violation(String path, @Nullable Object value, String reason) {

    @Override
    public String toString() {
        if (value == null) {
            return path.isEmpty() ? reason : "Invalid value of '" + path + "'. " + reason;
        }
        return "Invalid value '" + value + "' of '" + path + "'. " + reason;
    }
}
