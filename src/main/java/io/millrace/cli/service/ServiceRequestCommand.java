package io.millrace.cli.service;

import io.millrace.cli.error.CommandErrorCode;
import io.millrace.cli.error.PlainWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What commands that request a service have in common: the options, and a failure ends with exit code 1. */
abstract class ServiceRequestCommand implements Callable<Integer> {

    static final int SUCCESS = 0;
    static final int FAILED = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = {
                "URL of the service, such as https://localhost:8443. By default the value of",
                "MILLRACE_URL, or http://127.0.0.1:8080."
            })
    private @Nullable String url;

    @Mixin
    private final Credentials credentials = new Credentials();

    /** Environment variables, which have defaults and secrets. */
    private Map<String, String> environment = System.getenv();

    /** Uses other environment variables. */
    final ServiceRequestCommand with(Map<String, String> other) {
        environment = other;
        return this;
    }

    @Override
    public final Integer call() {
        try (ServiceClient client = client()) {
            return run(client);
        } catch (ServiceException e) {
            err().println(e.getMessage());
        } catch (UncheckedIOException e) {
            err().println(CommandErrorCode.NO_ANSWER.message("The connection has ended: "
                    + Objects.requireNonNull(e.getCause()).getMessage()));
        }
        return FAILED;
    }

    private ServiceClient client() {
        String address = url != null ? url : environment.getOrDefault("MILLRACE_URL", "http://127.0.0.1:8080");
        try {
            return ServiceClient.of(address, credentials.authorization(environment));
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    /** Runs the command, and returns the exit code. */
    abstract int run(ServiceClient client);

    final PrintWriter out() {
        return new PlainWriter(terminal());
    }

    final PrintWriter err() {
        return new PlainWriter(spec.commandLine().getErr());
    }

    /** Returns the output without escapes, for control sequences of the command itself. */
    final PrintWriter terminal() {
        return spec.commandLine().getOut();
    }

    final ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
