package io.millrace;

import io.millrace.config.properties.MillraceProperties;
import io.millrace.pipeline.PipelineState;
import io.millrace.pipeline.Pipelines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import picocli.CommandLine.Option;

/** A command that runs pipelines. */
abstract class RunPipelinesCommand extends ServiceCommand {

    private static final long POLL_INTERVAL_MS = 50;

    @Option(
            names = "--exit-when-done",
            description = "Exit with 0 when all feeds have ended and everything is stored. Open windows close.")
    private boolean exitWhenDone;

    /**
     * Runs the pipelines.
     *
     * @param files configuration files; later ones take precedence over earlier ones
     * @param check as for {@link #start}
     * @param settings arguments of Spring Boot
     * @return the exit code when all feeds have ended, or {@link #KEEPS_RUNNING}
     */
    final int run(List<Path> files, Consumer<ConfigurableEnvironment> check, String... settings)
            throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(settings));
        if (exitWhenDone) {
            arguments.add("--millrace.exit-when-done=true");
        }
        ConfigurableApplicationContext context = start(files, check, arguments);
        if (context == null) {
            return WRONG;
        }
        if (!context.getBean(MillraceProperties.class).exitWhenDone()) {
            return KEEPS_RUNNING;
        }
        Pipelines pipelines = context.getBean(Pipelines.class);
        while (!pipelines.ended()) {
            Thread.sleep(POLL_INTERVAL_MS);
        }
        boolean failed = pipelines.all().stream()
                .anyMatch(pipeline -> pipeline.state() == PipelineState.FAILED
                        || pipeline.rejectStatus().reached());
        return SpringApplication.exit(context, () -> failed ? 1 : 0);
    }
}
