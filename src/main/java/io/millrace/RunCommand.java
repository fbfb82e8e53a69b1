package io.millrace;

import io.millrace.config.MillraceProperties;
import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineState;
import io.millrace.pipeline.Pipelines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** Runs the service. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = {
            "Runs the pipelines of the configuration; without one, the sample pipelines.",
            "Any property can be set as well, such as --server.port=9090."
        })
final class RunCommand implements Callable<Integer> {

    /** Not an exit code: the service goes on in threads of its own. */
    static final int KEEPS_RUNNING = -1;

    private static final long LOOK_EVERY_MS = 50;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "CONFIG", description = "YAML files; later ones win over earlier ones.")
    private List<Path> files = List.of();

    @Option(names = "--exit-when-done", description = "End, with 0, when all feeds have ended and all is stored.")
    private boolean exitWhenDone;

    @Unmatched
    private List<String> rest = new ArrayList<>();

    @Override
    public Integer call() throws InterruptedException {
        SpringApplication application = new SpringApplication(MillraceApplication.class);
        application.setDefaultProperties(Map.of("millrace.sample", "true"));
        String[] arguments = springArguments();
        ConfigurableApplicationContext context;
        try {
            context = application.run(arguments);
        } catch (RuntimeException e) {
            return 1; // Spring Boot has said why
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

    private String[] springArguments() {
        List<String> arguments = new ArrayList<>();
        for (String argument : rest) {
            if (!argument.startsWith("--")) {
                throw new ParameterException(spec.commandLine(), "unknown option: " + argument);
            }
            arguments.add(argument);
        }
        for (Path file : files) {
            if (!Files.isRegularFile(file)) {
                throw new ParameterException(spec.commandLine(), "no such file: " + file);
            }
        }
        if (!files.isEmpty()) {
            arguments.add(files.stream()
                    .map(file -> file.toAbsolutePath().toUri().toString())
                    .collect(Collectors.joining(",", "--spring.config.additional-location=", "")));
        }
        if (exitWhenDone) {
            arguments.add("--millrace.exit-when-done=true");
        }
        return arguments.toArray(String[]::new);
    }
}
