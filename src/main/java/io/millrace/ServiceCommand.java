package io.millrace;

import io.millrace.application.MillraceApplication;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** A command that starts a service. */
abstract class ServiceCommand implements Callable<Integer> {

    private static final Logger LOG = LoggerFactory.getLogger(ServiceCommand.class);

    /** Not an exit code: the service goes on in threads of its own. */
    static final int KEEPS_RUNNING = -1;

    /** Exit code where the configuration is wrong. */
    static final int WRONG = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Unmatched
    private List<String> rest = new ArrayList<>();

    /**
     * Starts the service.
     *
     * @param files configuration files; later ones win over earlier ones
     * @param check refuses a configuration by an exception, before any bean is created; it may add to it
     * @param more arguments as Spring Boot has them
     * @return null where it can't be started; Spring Boot has said why
     */
    @Nullable
    final ConfigurableApplicationContext start(
            List<Path> files, Consumer<ConfigurableEnvironment> check, List<String> more) {
        SpringApplication application = new SpringApplication(MillraceApplication.class);
        application.addInitializers(_ -> OutOfMemoryExit.watchLog(), context -> check.accept(context.getEnvironment()));
        application.addListeners((ApplicationStartedEvent _) -> checkCollector());
        String[] arguments = arguments(files, more);
        try {
            return application.run(arguments);
        } catch (RuntimeException e) {
            return null;
        }
    }

    /** Says so if pauses will be long: a plain {@code java -jar} has the JVM's default collector. */
    private static void checkCollector() {
        List<String> collectors = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(GarbageCollectorMXBean::getName)
                .toList();
        if (collectors.stream().noneMatch(name -> name.startsWith("ZGC"))) {
            LOG.info(
                    "Garbage collector: {}. With -XX:+UseZGC, which bin/millrace sets, pauses are below a millisecond.",
                    String.join(" and ", collectors));
        }
    }

    private String[] arguments(List<Path> files, List<String> more) {
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
