package io.millrace;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** A command that starts a service. */
abstract class ServiceCommand implements Callable<Integer> {

    /** Not an exit code: the service goes on in threads of its own. */
    static final int KEEPS_RUNNING = -1;

    /** Exit code where the configuration is wrong. */
    static final int WRONG = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "CONFIG", description = "YAML files; later ones win over earlier ones.")
    private List<Path> files = List.of();

    @Unmatched
    private List<String> rest = new ArrayList<>();

    /**
     * Starts the service.
     *
     * @param defaults properties where no configuration says otherwise
     * @param more arguments as Spring Boot has them
     * @return null where it can't be started; Spring Boot has said why
     */
    @Nullable
    final ConfigurableApplicationContext start(Map<String, Object> defaults, List<String> more) {
        SpringApplication application = new SpringApplication(MillraceApplication.class);
        application.setDefaultProperties(defaults);
        String[] arguments = arguments(more);
        try {
            return application.run(arguments);
        } catch (RuntimeException e) {
            return null;
        }
    }

    private String[] arguments(List<String> more) {
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
        arguments.addAll(more);
        return arguments.toArray(String[]::new);
    }
}
