package io.millrace.config.plan;

import io.millrace.config.binding.ConfigurationException;
import io.millrace.config.binding.Origins;
import io.millrace.config.binding.PipelineReader;
import io.millrace.config.binding.PropertyBinding;
import io.millrace.config.binding.RulesReader;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.config.properties.PipelineProperties;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.definition.Problem;
import io.millrace.pipeline.rules.RulesCompiler;
import io.millrace.pipeline.rules.RulesException;
import io.millrace.pipeline.rules.RulesException.Mistake;
import io.millrace.pipeline.rules.RulesException.Reason;
import io.millrace.pipeline.rules.RulesText;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.trial.PipelineTrial;
import io.millrace.pipeline.trial.RuleTestCase;
import io.millrace.table.Table;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Compiles rules that replace those of a running pipeline, against the tables, regions and functions with which this
 * process has started. Thread-safe.
 */
public final class RulesPlanner implements RulesCompiler {

    private final MillraceProperties properties;
    private final PipelineReader reader;
    private final FunctionRegistry functions;
    private final Setup setup;
    private final Predicate<String> channels;

    /**
     * @param reader reads the environment from which the properties are bound
     * @param setup the configuration with which this process has started
     * @param channels returns whether the application has a channel of a name that somebody receives from
     */
    public RulesPlanner(
            MillraceProperties properties,
            PipelineReader reader,
            FunctionRegistry functions,
            Setup setup,
            Predicate<String> channels) {
        this.properties = properties;
        this.reader = reader;
        this.functions = functions;
        this.setup = setup;
        this.channels = channels;
    }

    @Override
    public RulesText configured(String pipeline) {
        return reader.rules(pipeline);
    }

    @Override
    public RulesText read(String pipeline, String text) {
        return refusing(Reason.INVALID, () -> RulesReader.read(pipeline, text));
    }

    /** Returns what a reader returns, or throws its problems, which have no place in a configuration. */
    private static <T> T refusing(Reason reason, Supplier<T> reader) {
        try {
            return reader.get();
        } catch (ConfigurationException e) {
            throw new RulesException(
                    reason,
                    e.problems().stream()
                            .map(problem -> new Mistake(problem.property(), "", problem.message()))
                            .toList());
        }
    }

    @Override
    public PipelinePlan compile(String pipeline, String text) {
        ConfigurableEnvironment environment = refusing(Reason.INVALID, () -> RulesReader.environment(pipeline, text));
        PlanProblems problems = new PlanProblems();
        PipelinePlan started = started(pipeline);
        try {
            PipelinePlan plan = plan(started, environment, problems);
            if (problems.isEmpty() && plan != null) {
                List<Mistake> refusals = new LiveChange(setup, properties, channels).refusals(started, plan);
                if (!refusals.isEmpty()) {
                    throw new RulesException(Reason.NOT_LIVE, refusals);
                }
                return plan;
            }
            throw invalid(pipeline, environment, problems.all());
        } catch (ConfigurationException e) {
            throw invalid(pipeline, environment, e.problems());
        }
    }

    private PipelinePlan started(String pipeline) {
        return setup.pipelines().stream()
                .filter(plan -> plan.name().equals(pipeline))
                .findFirst()
                .orElseThrow();
    }

    /** Returns null after an error, which it reports. */
    private @Nullable PipelinePlan plan(
            PipelinePlan started, ConfigurableEnvironment environment, PlanProblems problems) {
        String name = started.name();
        PipelineReader ofText = reader.in(environment);
        Collection<Problem> structure = ofText.structureProblems(false);
        if (!structure.isEmpty()) {
            structure.forEach(problems::add);
            return null;
        }
        PipelineProperties bound = Objects.requireNonNull(
                PropertyBinding.bind(environment).pipelines().get(name));
        List<StepDefinition> steps = ofText.steps(name, bound.steps(), problems::add);
        if (steps.size() < bound.steps().size()) {
            return null;
        }
        PipelineDefinition definition = started.definition().withSteps(steps);
        RegionPlanner regionPlanner = new RegionPlanner(
                properties.regions(), ConfiguredSchemas.in(properties.schemas(), problems), functions, problems);
        Map<String, Optional<Table>> tables = new LinkedHashMap<>();
        setup.tables().all().forEach(table -> tables.put(table.name(), Optional.of(table)));
        return new ProjectedPlanner(tables, SetupPlanner.targets(properties), functions, regionPlanner, problems)
                .plan(definition, started.schema().base());
    }

    private static RulesException invalid(
            String pipeline, ConfigurableEnvironment environment, List<Problem> problems) {
        Origins origins = new Origins(environment);
        String prefix = "millrace.pipelines." + pipeline + ".";
        return new RulesException(
                Reason.INVALID,
                problems.stream()
                        .map(problem -> new Mistake(
                                problem.property().startsWith(prefix)
                                        ? problem.property().substring(prefix.length())
                                        : problem.property(),
                                origins.of(problem.property(), problem.atKey())
                                        .map(RulesReader::place)
                                        .orElse(""),
                                problem.message().strip()))
                        .toList());
    }

    @Override
    public void requireTests(PipelinePlan plan) {
        PipelineProperties pipeline =
                Objects.requireNonNull(properties.pipelines().get(plan.name()));
        List<Mistake> failures = new ArrayList<>();
        List<RuleTestCase> tests = refusing(Reason.TESTS_FAILED, () -> RuleTestReader.read(pipeline.tests(), plan));
        if (tests.isEmpty()) {
            return;
        }
        PipelineTrial trial = new PipelineTrial(plan);
        for (RuleTestCase test : tests) {
            List<String> differences = test.run(trial);
            if (!differences.isEmpty()) {
                failures.add(new Mistake(test.name(), "", String.join("\n", differences)));
            }
        }
        if (!failures.isEmpty()) {
            throw new RulesException(Reason.TESTS_FAILED, failures);
        }
    }
}
