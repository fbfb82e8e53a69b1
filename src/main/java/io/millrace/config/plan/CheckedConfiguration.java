package io.millrace.config.plan;

import io.millrace.background.FailureCode;
import io.millrace.config.binding.ConfigurationCheck;
import io.millrace.config.binding.ConfigurationException;
import io.millrace.config.binding.ConfigurationFiles;
import io.millrace.config.binding.Origins;
import io.millrace.config.binding.PipelineReader;
import io.millrace.config.binding.ProblemReport;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.expression.error.FunctionException;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.pipeline.rules.RulesCompiler;
import io.millrace.pipeline.trial.RuleTestCase;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;

/**
 * A configuration in files without mistakes. Nothing is started.
 *
 * @param compiler compiles other rules for its pipelines
 * @param tests tests of rules by the name of the pipeline
 * @param properties the properties that were checked
 * @param environment from which they were read
 */
public record CheckedConfiguration(
        Setup setup,
        RulesCompiler compiler,
        Map<String, List<RuleTestCase>> tests,
        MillraceProperties properties,
        Environment environment) {

    /**
     * Reads and checks the whole of a configuration. Expressions can call the functions that are services.
     *
     * @param files the files; if there are none, the sample's configuration is read
     * @param select returns the properties to check and use
     * @throws ConfigurationMistakesException if it has mistakes, or a function can't be registered
     */
    public static CheckedConfiguration read(List<Path> files, UnaryOperator<MillraceProperties> select) {
        ConfigurableEnvironment environment = new StandardEnvironment();
        try {
            environment = files.isEmpty() ? ConfigurationFiles.sample() : ConfigurationFiles.load(files);
            MillraceProperties properties = select.apply(ConfigurationCheck.requirePipelines(environment, files));
            PipelineReader reader = PipelineReader.of(environment);
            FunctionRegistry functions = FunctionRegistry.installed();
            Setup setup = new SetupPlanner(properties, reader, functions).plan();
            return new CheckedConfiguration(
                    setup,
                    new RulesPlanner(properties, reader, functions, setup, _ -> true),
                    RuleTestReader.read(properties, setup),
                    properties,
                    environment);
        } catch (ConfigurationException e) {
            throw new ConfigurationMistakesException(new ProblemReport(new Origins(environment)).describe(e), e);
        } catch (FunctionException e) {
            throw new ConfigurationMistakesException(
                    FailureCode.INVALID_FUNCTION.message(String.valueOf(e.getMessage())), e);
        }
    }
}
