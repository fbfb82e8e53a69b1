package io.millrace;

import io.millrace.config.binding.ConfigurationCheck;
import io.millrace.config.binding.PropertyBinding;
import java.util.List;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs a locator of a cluster. */
@Command(
        name = LocatorCommand.NAME,
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  millrace locator --millrace.geode.locators=one:10334"},
        description = {
            "Runs a locator, by which servers and clients of a cluster find each other.",
            "Any property can be set as well, such as --millrace.geode.locators=one:10334,two:10334."
        })
final class LocatorCommand extends ServiceCommand {

    static final String NAME = "locator";

    @Mixin
    private ConfigurationArguments configuration = new ConfigurationArguments();

    @Override
    public Integer call() {
        ConfigurableApplicationContext context = start(
                configuration.files(),
                LocatorCommand::check,
                List.of(
                        "--millrace.role=locator",
                        // It has no pipelines that could be on standby.
                        "--management.endpoint.health.group.readiness.include=readinessState,geode"));
        return context == null ? WRONG : KEEPS_RUNNING;
    }

    /** Checks the configuration. A locator needs no pipelines. */
    private static void check(ConfigurableEnvironment environment) {
        ConfigurationCheck.requireKnownRootKeys(environment);
        PropertyBinding.bind(environment);
    }
}
