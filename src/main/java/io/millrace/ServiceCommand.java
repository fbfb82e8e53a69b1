package io.millrace;

import io.millrace.application.EscapedLog;
import io.millrace.application.MillraceApplication;
import io.millrace.config.binding.ConfigurationException;
import io.millrace.config.binding.ConfigurationFiles;
import io.millrace.config.binding.Origins;
import io.millrace.config.binding.ProblemReport;
import io.millrace.config.binding.TestMerge;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
import org.springframework.core.env.StandardEnvironment;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** A command that starts a service. */
abstract class ServiceCommand implements Callable<Integer> {

    private static final Logger LOG = LoggerFactory.getLogger(ServiceCommand.class);

    /** Not an exit code: the service continues to run in its own threads. */
    static final int KEEPS_RUNNING = -1;

    /** Exit code for an invalid configuration. */
    static final int WRONG = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Unmatched
    private List<String> unmatched = new ArrayList<>();

    /**
     * Starts the service.
     *
     * @param files configuration files; later ones take precedence over earlier ones
     * @param check refuses an invalid configuration by an exception before any bean is created; it may also add
     *     properties
     * @param settings additional arguments of Spring Boot
     * @return null if the service can't be started; Spring Boot has logged the reason
     */
    @Nullable
    final ConfigurableApplicationContext start(
            List<Path> files, Consumer<ConfigurableEnvironment> check, List<String> settings) {
        SpringApplication application = new SpringApplication(MillraceApplication.class);
        application.addInitializers(
                _ -> OutOfMemoryExit.watchLog(),
                _ -> EscapedLog.install(),
                context -> TestMerge.merge(context.getEnvironment()),
                context -> check.accept(context.getEnvironment()));
        application.setDefaultProperties(defaults(System.getenv()));
        application.addListeners((ApplicationStartedEvent _) -> checkCollector());
        String[] arguments = arguments(files, settings);
        try {
            ConfigurationFiles.load(files);
        } catch (ConfigurationException e) {
            spec.commandLine().getErr().println(new ProblemReport(new Origins(new StandardEnvironment())).describe(e));
            return null;
        }
        try {
            return application.run(arguments);
        } catch (RuntimeException e) {
            return null;
        }
    }

    /** Returns properties with the lowest precedence: {@code NO_COLOR} removes colors from the log. */
    static Map<String, Object> defaults(Map<String, String> environment) {
        return environment.getOrDefault("NO_COLOR", "").isEmpty()
                ? Map.of()
                : Map.of("spring.output.ansi.enabled", "never");
    }

    /** Logs a hint if GC pauses will be long: a plain {@code java -jar} uses the JVM's default collector. */
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

    private String[] arguments(List<Path> files, List<String> settings) {
        List<String> arguments = new ArrayList<>();
        for (String argument : unmatched) {
            if (!argument.startsWith("--")) {
                throw new ParameterException(
                        spec.commandLine(),
                        "Unknown option: '" + argument
                                + "'. Properties begin with two dashes, such as --server.port=9090.");
            }
            arguments.add(argument);
        }
        String refusal = ConfigurationFiles.refusal(files);
        if (refusal != null) {
            throw new ParameterException(spec.commandLine(), refusal);
        }
        if (!files.isEmpty()) {
            arguments.add(files.stream()
                    .map(file -> file.toAbsolutePath().toUri().toString())
                    .collect(Collectors.joining(",", "--spring.config.additional-location=", "")));
        }
        arguments.addAll(settings);
        return arguments.toArray(String[]::new);
    }
}
