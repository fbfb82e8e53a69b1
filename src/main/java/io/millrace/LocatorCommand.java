package io.millrace;

import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** Runs a locator of a cluster. */
@Command(
        name = "locator",
        mixinStandardHelpOptions = true,
        description = {
            "Is where the members and clients of a cluster find it.",
            "Any property can be set as well, such as --millrace.geode.locators=one:10334,two:10334."
        })
final class LocatorCommand extends ServiceCommand {

    @Override
    public Integer call() {
        return start(Map.of(), List.of("--millrace.role=locator")) == null ? WRONG : KEEPS_RUNNING;
    }
}
