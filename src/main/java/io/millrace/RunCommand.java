package io.millrace;

import io.millrace.config.MillraceProperties;
import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineState;
import io.millrace.pipeline.Pipelines;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the service. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = {
            "Runs the pipelines of the configuration; without one, the sample pipelines.",
            "Any property can be set as well, such as --server.port=9090."
        })
final class RunCommand extends ServiceCommand {

    private static final long LOOK_EVERY_MS = 50;

    @Option(names = "--exit-when-done", description = "End, with 0, when all feeds have ended and all is stored.")
    private boolean exitWhenDone;

    @Override
    public Integer call() throws InterruptedException {
        List<String> more = new ArrayList<>();
        if (exitWhenDone) {
            more.add("--millrace.exit-when-done=true");
        }
        ConfigurableApplicationContext context = start(Map.of("millrace.sample", "true"), more);
        if (context == null) {
            return WRONG;
        }
        if (!context.getBean(MillraceProperties.class).exitWhenDone()) {
            return KEEPS_RUNNING;
        }
        Pipelines pipelines = context.getBean(Pipelines.class);
        while (!pipelines.ended()) {
            Thread.sleep(LOOK_EVERY_MS);
        }
        boolean failed = pipelines.all().stream().map(Pipeline::state).anyMatch(PipelineState.FAILED::equals);
        return SpringApplication.exit(context, () -> failed ? 1 : 0);
    }
}
