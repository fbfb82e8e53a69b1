package io.millrace;

import io.millrace.config.binding.ConfigurationCheck;
import java.util.List;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs a server of a cluster. */
@Command(
        name = "server",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  millrace server config.yml --millrace.geode.locators=one:10334"},
        description = {
            "Stores the regions of the configuration, as a member of the cluster that millrace.geode configures.",
            "Any property can be set as well, such as --millrace.geode.locators=one:10334,two:10334."
        })
final class ServerCommand extends ServiceCommand {

    @Mixin
    private ConfigurationArguments configuration = new ConfigurationArguments();

    @Override
    public Integer call() {
        ConfigurableApplicationContext context = start(
                configuration.files(),
                environment -> ConfigurationCheck.requirePipelines(environment, configuration.files()),
                List.of("--millrace.role=server"));
        return context == null ? WRONG : KEEPS_RUNNING;
    }
}
