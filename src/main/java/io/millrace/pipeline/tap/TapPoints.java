package io.millrace.pipeline.tap;

import io.millrace.expression.FieldPlace;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.step.StepPlan;
import io.millrace.pipeline.step.Target;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds the tap points of a pipeline. */
public final class TapPoints {

    private static final String CHANNEL = "channel";

    private final PipelinePlan plan;
    private final List<TapPoint> points = new ArrayList<>();
    private final Set<String> added = new HashSet<>();

    /** Schema of the records at the point, with all fields that the steps of the stage add. */
    private Schema stage;

    private TapPoints(PipelinePlan plan) {
        this.plan = plan;
        this.stage = plan.schema();
    }

    /** Returns all points, in the order in which records reach them. */
    public static List<TapPoint> of(PipelinePlan plan) {
        TapPoints found = new TapPoints(plan);
        found.find();
        return List.copyOf(found.points);
    }

    private void find() {
        String admitted = plan.definition().admittedChannel();
        points.add(new TapPoint(local(admitted), "admitted", admitted, null, List.of(admitted), stage, schema()));
        for (int i = 0; i < plan.stages().size(); i++) {
            List<StepPlan> steps = plan.stages().get(i).steps();
            for (int j = 0; j < steps.size(); j++) {
                StepPlan step = steps.get(j);
                step.explanation().writes().stream().map(FieldPlace::name).forEach(added::add);
                if (j == steps.size() - 1 && i + 1 < plan.stages().size()) {
                    // Behind this step are the records that it makes.
                    stage = plan.stages().get(i + 1).schema();
                    added.clear();
                }
                add(step);
            }
        }
    }

    private void add(StepPlan step) {
        String before = points.getLast().name();
        if (step.targets().isEmpty()) {
            points.add(new TapPoint(
                    local(step.name()), step.kind(), step.name(), before, List.of(step.name()), stage, schema()));
        } else {
            addRoute(step, before);
        }
    }

    private void addRoute(StepPlan route, String before) {
        // Several targets can be the same.
        List<Target> targets = route.targets().stream().distinct().toList();
        List<String> channels =
                targets.stream().map(target -> target.channel(plan.name())).toList();
        String name = local(route.name());
        points.add(new TapPoint(name, route.kind(), null, before, channels, stage, schema()));
        for (int i = 0; i < targets.size(); i++) {
            String channel = channels.get(i);
            String kind = switch (targets.get(i)) {
                case Target.RegionTarget _ -> "region";
                case Target.OutputTarget _ -> "output";
                case Target.ChannelTarget _ -> CHANNEL;
            };
            points.add(new TapPoint(
                    kind.equals(CHANNEL) ? channel : local(channel),
                    kind,
                    channel,
                    name,
                    List.of(channel),
                    stage,
                    schema()));
        }
    }

    /** Returns the name of a channel without the pipeline's prefix. */
    private String local(String channel) {
        return channel.substring(plan.name().length() + 1);
    }

    /**
     * Returns the schema with the fields added so far. Fields are appended, so these precede all fields added later.
     */
    private Schema schema() {
        Schema schema = stage.base();
        for (Field field : stage.fields()) {
            if (field.offset() >= stage.foundLength() && added.contains(field.name())) {
                schema = schema.extend(field);
            }
        }
        return schema;
    }
}
