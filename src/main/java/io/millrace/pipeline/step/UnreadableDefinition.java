package io.millrace.pipeline.step;

import io.millrace.schema.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A placeholder for a step that could not be read, which has been reported. */
public record UnreadableDefinition() implements StepDefinition {

    @Override
    public String kind() {
        return "unreadable";
    }

    @Override
    public @Nullable StepPlan plan(PlanContext context) {
        return null;
    }

    @Override
    public List<String> rule(Schema records) {
        return List.of();
    }
}
