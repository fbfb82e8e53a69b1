package io.millrace.codec.view;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A value that its field does not allow.
 *
 * @param path path of the field, such as {@code legs[2].rate}; empty if the record as a whole is malformed
 * @param value the value, or null if it can't be read
 * @param reason what is wrong with the value, such as {@code is below the smallest allowed, 0}
 */
@API(status = API.Status.STABLE)
public record Violation(String path, @Nullable Object value, String reason) {

    @Override
    public String toString() {
        return "field=" + path + " value=" + value + ": " + reason;
    }
}
