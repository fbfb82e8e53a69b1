package io.millrace;

import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** Runs a server of a cluster. */
@Command(
        name = "server",
        mixinStandardHelpOptions = true,
        description = {
            "Keeps the regions of the configuration, as a member of the cluster that millrace.geode names.",
            "Any property can be set as well, such as --millrace.geode.locators=one:10334,two:10334."
        })
final class ServerCommand extends ServiceCommand {

    @Override
    public Integer call() {
        return start(Map.of(), List.of("--millrace.role=server")) == null ? WRONG : KEEPS_RUNNING;
    }
}
