package io.millrace.schema.yaml;

import io.millrace.schema.RecordConstraint;
import io.millrace.schema.Schema;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Checks the conditions of constraints. The implementation is found as a service, because expressions depend on this
 * package. Thread-safe.
 */
public interface ConditionChecker {

    /** Returns what is wrong with the condition of a constraint, or null if records can be checked against it. */
    @Nullable
    String problem(Schema schema, RecordConstraint constraint);

    /** Returns the implementation. */
    static ConditionChecker installed() {
        return ServiceLoader.load(ConditionChecker.class, ConditionChecker.class.getClassLoader())
                .findFirst()
                .orElseThrow();
    }
}
