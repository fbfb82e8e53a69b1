package io.millrace.pipeline.shadow;

import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.step.Target;
import io.millrace.schema.Schema;
import io.millrace.store.region.StoredForm;
import io.millrace.store.region.StoredForms;
import java.util.List;
import java.util.function.Function;

/**
 * What is kept of a record.
 *
 * @param schema the fields
 */
record Kept(Schema schema, StoredForm form) {

    /** All fields of records of a schema, without those that steps add. */
    static Kept base(Schema schema) {
        Schema base = schema.base().stored();
        return new Kept(base, StoredForms.of(base));
    }

    /**
     * Returns what each target receives.
     *
     * @param regions returns the schema of the records that a region stores
     */
    static List<Kept> of(List<Target> targets, PipelinePlan plan, Function<String, Schema> regions) {
        return targets.stream().map(target -> of(target, plan, regions)).toList();
    }

    private static Kept of(Target target, PipelinePlan plan, Function<String, Schema> regions) {
        // Some regions don't store added fields. A channel receives all.
        Schema schema = target instanceof Target.RegionTarget
                ? regions.apply(target.name())
                : plan.targetSchema().stored();
        return new Kept(schema, StoredForms.of(schema));
    }
}
