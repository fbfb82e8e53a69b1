package io.millrace.simulation;

import io.millrace.feed.Feed;
import io.millrace.feed.Split;
import io.millrace.pipeline.definition.Parallelism;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.definition.PipelinePlan.Stage;
import io.millrace.pipeline.rules.RulesCompiler;
import io.millrace.pipeline.rules.RulesText;
import io.millrace.pipeline.step.StepPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Compiles rules for one process. Their text is {@code rules-N}.
 *
 * @param configured those that the process was started with
 * @param feed returns the feed of a split
 * @param parallelism partitions and lanes
 * @param keepRaw whether records are stored before the first step
 * @param measures steps of the process that come before the others
 * @param table of the process
 */
record ProcessRules(
        Rules configured,
        Function<Split, Feed> feed,
        Parallelism parallelism,
        boolean keepRaw,
        List<StepPlan> measures,
        SimulatedTable table)
        implements RulesCompiler {

    private static final String PREFIX = "rules-";

    static String text(int version) {
        return PREFIX + version;
    }

    /** Returns the number in a text. */
    static int number(String text) {
        return Integer.parseInt(text.substring(PREFIX.length()));
    }

    @Override
    public RulesText configured(String pipeline) {
        return read(pipeline, text(configured.version()));
    }

    @Override
    public RulesText read(String pipeline, String text) {
        return new RulesText(text, text, "");
    }

    @Override
    public PipelinePlan compile(String pipeline, String text) {
        PipelinePlan plan = configured.version(number(text)).plan();
        PipelineDefinition definition = plan.definition();
        List<Stage> stages = new ArrayList<>();
        for (Stage stage : plan.stages()) {
            List<StepPlan> steps = new ArrayList<>(stages.isEmpty() ? measures : List.of());
            stage.steps().forEach(step -> steps.add(step.kind().equals("enrich") ? table.reading(step) : step));
            stages.add(new Stage(stage.schema(), steps));
        }
        return new PipelinePlan(
                new PipelineDefinition(
                        definition.name(),
                        new ProcessFeed(feed),
                        definition.schema(),
                        definition.steps(),
                        keepRaw ? Stored.RAW : null,
                        definition.rejects(),
                        definition.rejectThresholds(),
                        definition.lateThresholds(),
                        definition.rulesMayChange(),
                        definition.readsKnownFeed(),
                        parallelism),
                stages);
    }

    @Override
    public void requireTests(PipelinePlan plan) {
        // there are none
    }
}
