package io.millrace.schema;

import org.jspecify.annotations.Nullable;

/**
 * One thing that is wrong with a schema's text.
 *
 * @param file as it was named when it was read
 * @param line from 1 on
 * @param field path of the field, or null where no field is meant
 * @param reason what is wrong and, where that helps, what would be right
 */
public record SchemaProblem(String file, int line, @Nullable String field, String reason) {

    /** One line, such as {@code trade.yml:7: field=amount1: scale=20 is not between 0 and 18}. */
    @Override
    public String toString() {
        return file + ":" + line + ": " + (field == null ? "" : "field=" + field + ": ") + reason;
    }
}
