package io.millrace;

import io.millrace.config.binding.ConfigurationCheck;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;

/** Runs the sample pipelines. */
@Command(
        name = "sample",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  millrace sample"},
        description = {
            "Runs the sample pipelines: three million generated trades.",
            "Any property can be set as well, such as --server.port=9090."
        })
final class SampleCommand extends RunPipelinesCommand {

    @Override
    public Integer call() throws InterruptedException {
        List<Path> none = List.of();
        return run(
                none, environment -> ConfigurationCheck.requirePipelines(environment, none), "--millrace.sample=true");
    }
}
