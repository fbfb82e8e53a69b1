package io.millrace.codec.compact;

import io.millrace.codec.Admission;
import io.millrace.schema.Schema;

/** Gives benchmarks a finder without generated code. */
public final class PlanFinders {

    private PlanFinders() {}

    /** Returns a finder that follows the plan from member to member. */
    public static Admission of(Schema schema) {
        return CompactFinder.interpreted(schema, false);
    }
}
