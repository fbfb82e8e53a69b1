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
import io.millrace.pipeline.step.StepPlan;
import io.millrace.pipeline.step.Target;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sends each record to the first branch whose condition holds. A record that matches no branch is dropped. */
public record RouteDefinition(List<Branch> branches) implements StepDefinition {

    private static final String KIND = "route";

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
            context.requireKnown(property(i) + (condition == null ? ".otherwise" : ".to"), branch.target());
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
                conditions.isEmpty() ? RoutePlan.TAKES_NONE : context.compiler().router(conditions);
        boolean hasOtherwise = conditions.size() < branches.size();
        return RoutePlan.of(context.name(), KIND, router, explained(router), targets(), hasOtherwise);
    }

    private List<ExplainedExpression> explained(Compiled<BatchRouter> router) {
        List<ExplainedExpression> explained = new ArrayList<>();
        Iterator<Explanation> conditions = router.expressions().iterator();
        for (Branch branch : branches) {
            explained.add(
                    branch.condition() == null
                            ? new ExplainedExpression("otherwise", branch.targetText(), null)
                            : new ExplainedExpression("when", branch.targetText(), conditions.next()));
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
                            ? List.of("otherwise", branch.targetText())
                            : List.of("when", condition, branch.targetText()));
        }
        return rule;
    }

    @Override
    public boolean endsPipeline() {
        return true;
    }

    @Override
    public List<Target> targets() {
        return branches.stream().map(Branch::target).toList();
    }
}
