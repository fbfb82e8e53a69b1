package io.millrace;

import io.millrace.config.binding.ConfigurationCheck;
import io.millrace.config.binding.SamplePipelines;
import org.springframework.core.env.ConfigurableEnvironment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs the service. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  millrace run config.yml",
            "  millrace run config.yml site.yml --server.port=9090",
            "  millrace run config.yml --exit-when-done"
        },
        description = {
            "Runs the pipelines of the configuration; without any configuration, the sample pipelines.",
            "Any property can be set as well, such as --server.port=9090."
        })
final class RunCommand extends RunPipelinesCommand {

    @Mixin
    private ConfigurationArguments configuration = new ConfigurationArguments();

    @Override
    public Integer call() throws InterruptedException {
        return run(configuration.files(), this::check);
    }

    private void check(ConfigurableEnvironment environment) {
        if (configuration.files().isEmpty()) {
            ConfigurationCheck.requireKnownRootKeys(environment);
            SamplePipelines.addIfNothingIsConfigured(environment);
        }
        ConfigurationCheck.requirePipelines(environment, configuration.files());
    }
}
