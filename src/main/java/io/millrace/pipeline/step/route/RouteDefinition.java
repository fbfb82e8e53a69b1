package io.millrace.pipeline.step.route;

import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.STEP_ORDER;

import io.millrace.expression.BatchRouter;
import io.millrace.expression.Compiled;
import io.millrace.expression.Explanation;
import io.millrace.extension.PropertyCheck;
import io.millrace.pipeline.step.ExplainedExpression;
import io.millrace.pipeline.step.PlanContext;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.StepExplanation;
import io.millrace.pipeline.step.StepPlan;
import io.millrace.pipeline.step.Target;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sends each record to the first branch whose condition holds. A record that matches no branch is dropped. */
public record RouteDefinition(List<Branch> branches) implements StepDefinition {

    private static final String KIND = "route";

    /** A router without conditions, which leaves all records to "otherwise". */
    private static final Compiled<BatchRouter> TAKES_NONE = new Compiled<>(
            (batch, branches, rejects) -> Arrays.fill(branches, 0, batch.selected(), BatchRouter.NONE), 0, List.of());

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public void validate(PropertyCheck check) {
        for (int i = 0; i < branches.size(); i++) {
            branches.get(i).validate(property(i), check);
        }
    }

    private static String property(int branch) {
        return "[" + branch + "]";
    }

    @Override
    public @Nullable StepPlan plan(PlanContext context) {
        List<String> conditions = new ArrayList<>();
        boolean compiled = true;
        for (int i = 0; i < branches.size(); i++) {
            Branch branch = branches.get(i);
            String condition = branch.condition();
            branch.targets().requireKnown(property(i) + (condition == null ? ".otherwise" : ".to"), context, true);
            if (condition != null) {
                conditions.add(condition);
                compiled &= context.compile(property(i) + ".when", compiler -> compiler.filter(condition)) != null;
            } else if (i < branches.size() - 1) {
                context.check()
                        .problem(
                                STEP_ORDER,
                                property(i) + ".otherwise",
                                "Branches after 'otherwise' get no records. Move 'otherwise' to the end.");
            }
        }
        if (branches.isEmpty()) {
            context.check()
                    .problem(MISSING_VALUE, "", "Missing branches. Add at least one, such as { otherwise: REGION }.");
        }
        if (!compiled) {
            return null;
        }
        Compiled<BatchRouter> router =
                conditions.isEmpty() ? TAKES_NONE : context.compiler().router(conditions);
        boolean hasOtherwise = conditions.size() < branches.size();
        String name = context.name();
        return new StepPlan(
                new StepExplanation(name, KIND, router.codeBytes(), List.of(), explained(router)),
                List.of(),
                targets(),
                List.of(),
                run -> new RouteStep(
                        name,
                        KIND,
                        router.loop(),
                        run.schema(),
                        branches.stream()
                                .map(branch -> TargetOutput.of(branch.targets(), run))
                                .toList(),
                        hasOtherwise,
                        run.rejects()));
    }

    private List<ExplainedExpression> explained(Compiled<BatchRouter> router) {
        List<ExplainedExpression> explained = new ArrayList<>();
        Iterator<Explanation> conditions = router.expressions().iterator();
        for (Branch branch : branches) {
            explained.add(
                    branch.condition() == null
                            ? new ExplainedExpression(
                                    "otherwise", branch.targets().text(), null)
                            : new ExplainedExpression("when", branch.targets().text(), conditions.next()));
        }
        return explained;
    }

    @Override
    public List<String> rule(Schema records) {
        List<String> rule = new ArrayList<>(List.of(KIND));
        for (Branch branch : branches) {
            String condition = branch.condition();
            rule.addAll(
                    condition == null
                            ? List.of("otherwise", branch.targets().text())
                            : List.of("when", condition, branch.targets().text()));
        }
        return rule;
    }

    @Override
    public boolean endsPipeline() {
        return true;
    }

    @Override
    public List<Target> targets() {
        return branches.stream()
                .flatMap(branch -> branch.targets().targets().stream())
                .distinct()
                .toList();
    }
}
