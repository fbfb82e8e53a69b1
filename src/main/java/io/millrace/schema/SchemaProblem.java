package io.millrace.schema;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A problem in the text of a schema.
 *
 * @param file name of the file as given when it was read
 * @param line line number, from 1
 * @param field path of the field, or null if the problem is not in a field
 * @param reason the problem and, where possible, the solution
 */
@API(status = API.Status.STABLE)
public record SchemaProblem(String file, int line, @Nullable String field, String reason) {

    /** Returns one line, such as {@code trade.yml:7: field=amount1: scale=20 is not between 0 and 18}. */
    @Override
    public String toString() {
        return file + ":" + line + ": " + (field == null ? "" : "field=" + field + ": ") + reason;
    }
}
