package io.millrace.pipeline.step.route;

import io.millrace.expression.BatchRouter;
import io.millrace.expression.Compiled;
import io.millrace.pipeline.step.ExplainedExpression;
import io.millrace.pipeline.step.StepExplanation;
import io.millrace.pipeline.step.StepPlan;
import io.millrace.pipeline.step.Target;
import java.util.Arrays;
import java.util.List;

/** Creates the plans of steps that send records to targets. */
final class RoutePlan {

    /** A router without conditions, which leaves all records to "otherwise". */
    static final Compiled<BatchRouter> TAKES_NONE = new Compiled<>(
            (batch, branches, rejects) -> Arrays.fill(branches, 0, batch.selected(), BatchRouter.NONE), 0, List.of());

    private RoutePlan() {}

    /**
     * Returns a plan.
     *
     * @param targets one target for each condition of the router, in order, and one for "otherwise" if there is one
     * @param hasOtherwise whether the last target receives the records for which no condition holds
     */
    static StepPlan of(
            String name,
            String kind,
            Compiled<BatchRouter> router,
            List<ExplainedExpression> explained,
            List<Target> targets,
            boolean hasOtherwise) {
        return new StepPlan(
                new StepExplanation(name, kind, router.codeBytes(), List.of(), explained),
                List.of(),
                targets,
                List.of(),
                run -> new RouteStep(
                        name,
                        kind,
                        router.loop(),
                        run.schema(),
                        targets.stream()
                                .map(target -> RouteStep.Output.of(target, run))
                                .toList(),
                        hasOtherwise,
                        run.rejects()));
    }
}
