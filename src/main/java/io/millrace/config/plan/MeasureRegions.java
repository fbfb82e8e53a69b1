package io.millrace.config.plan;

import static io.millrace.schema.ProblemCode.DUPLICATE_NAME;
import static io.millrace.schema.ProblemCode.SHARED_REGION;

import io.millrace.measure.plan.AlertPlan;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.definition.Problem;
import io.millrace.pipeline.step.Target;
import io.millrace.pipeline.step.TargetNames;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Plans the regions of measures: each region stores the rows of one measure, or of one of its alerts, and nothing else.
 */
final class MeasureRegions {

    private final Map<String, List<Schema>> byRegion = new HashMap<>();
    private final Consumer<Problem> problems;

    /** Collects the measures of all pipelines, and reports those that have the same name. */
    MeasureRegions(List<PipelinePlan> pipelines, Consumer<Problem> problems) {
        this.problems = problems;
        Map<String, String> names = new HashMap<>();
        for (PipelinePlan pipeline : pipelines) {
            for (MeasurePlan measure : pipeline.measures()) {
                String other = names.putIfAbsent(measure.name(), pipeline.name());
                if (other != null) {
                    problems.accept(new Problem(
                            "millrace.pipelines." + pipeline.name() + ".steps",
                            DUPLICATE_NAME.message("Duplicate measure name '" + measure.name() + "', also in pipeline '"
                                    + other + "'. Use a unique name for each measure.")));
                }
                add(measure.definition().to(), measure.rowSchema());
                for (AlertPlan alert : measure.alerts()) {
                    add(alert.definition().to(), alert.schema());
                }
            }
        }
    }

    private void add(List<String> to, Schema schema) {
        for (Target target : Set.copyOf(new TargetNames(to).targets())) {
            if (target instanceof Target.RegionTarget(String region)) {
                byRegion.computeIfAbsent(region, ignored -> new ArrayList<>()).add(schema);
            }
        }
    }

    /**
     * Returns the schema of the rows that measures write to a region, or null if none writes to it. Reports a region
     * with another writer.
     *
     * @param records whether pipelines write records to the region
     */
    @Nullable
    Schema schema(String region, boolean records) {
        List<Schema> schemas = byRegion.getOrDefault(region, List.of());
        if (schemas.size() + (records ? 1 : 0) > 1) {
            problems.accept(new Problem(
                    "millrace.regions." + region,
                    SHARED_REGION.message("Measure '" + schemas.getFirst().name()
                            + "' is not alone in this region, which also receives "
                            + (records
                                    ? "records of pipelines"
                                    : "the rows of '" + schemas.get(1).name() + "'")
                            + ". Use a region of its own for the"
                            + " rows of each measure and of each alert.")));
        }
        return schemas.isEmpty() ? null : schemas.getFirst();
    }
}
