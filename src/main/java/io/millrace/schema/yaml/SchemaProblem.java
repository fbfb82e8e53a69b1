package io.millrace.schema.yaml;

import io.millrace.schema.ProblemCode;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A problem in the text of a schema.
 *
 * @param file name of the file as given when it was read
 * @param line line number, from 1
 * @param field path of the field, or null if the problem is not in a field
 * @param code kind of problem
 * @param reason the problem and, where possible, the solution
 */
@API(status = API.Status.STABLE)
public record SchemaProblem(String file, int line, @Nullable String field, ProblemCode code, String reason) {

    /**
     * Returns one line, such as {@code trade.yml:7: Field 'amount1': Invalid scale '20'. Use 0 to 18.
     * [invalid-number]}.
     */
    @Override
    public String toString() {
        return file + ":" + line + ": " + (field == null ? "" : "Field '" + field + "': ") + code.message(reason);
    }
}
