package io.millrace.pipeline.chain;

import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.RunContext;
import io.millrace.pipeline.step.StepOutput;
import io.millrace.pipeline.step.StepPlan;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The running steps of a plan, in the order in which they process batches. The channel between two of them has the name
 * of the first.
 *
 * @param links the steps, each with its place among the channels
 */
public record StepChain(List<Link> links) {

    /** A step and its place. */
    public record Link(StepPlace place, BatchStep step) {}

    /** Returns what a step runs in. */
    @FunctionalInterface
    public interface Contexts {

        /**
         * Returns the context of a step.
         *
         * @param schema schema of the batches that it receives
         * @param output schema of those that it passes on
         */
        RunContext of(Schema schema, Schema output);
    }

    public StepChain {
        links = List.copyOf(links);
    }

    /**
     * Creates the steps, which are not connected.
     *
     * @param included selects steps; others are left out
     */
    public static StepChain of(PipelinePlan plan, Contexts contexts, Predicate<StepPlan> included) {
        List<Link> links = new ArrayList<>();
        String channel = plan.definition().admittedChannel();
        List<PipelinePlan.Stage> stages = plan.stages();
        for (int i = 0; i < stages.size(); i++) {
            Schema schema = stages.get(i).schema();
            Schema output = stages.get(Math.min(i + 1, stages.size() - 1)).schema();
            RunContext context = contexts.of(schema, output);
            for (StepPlan planned : stages.get(i).steps()) {
                if (included.test(planned)) {
                    BatchStep step = planned.create(context);
                    links.add(new Link(place(planned, channel, plan.name()), step));
                    channel = step.name();
                }
            }
        }
        return new StepChain(links);
    }

    private static StepPlace place(StepPlan planned, String channel, String pipeline) {
        List<String> targets = planned.targets().stream()
                .map(target -> target.channel(pipeline))
                .toList();
        return new StepPlace(planned.name(), channel, targets.isEmpty() ? planned.name() : null, targets);
    }

    /** Returns the steps in order. */
    public List<BatchStep> steps() {
        return links.stream().map(Link::step).toList();
    }

    /**
     * Connects the steps.
     *
     * @param outputs returns what passes batches to the channel of a name
     */
    public void connect(Function<String, StepOutput> outputs) {
        for (Link link : links) {
            if (link.place().output() != null) {
                link.step().setOutput(outputs.apply(link.place().output()));
            }
        }
    }
}
