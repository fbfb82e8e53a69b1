package io.millrace.cli.service;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine;

/** Runs commands against a service. */
final class CommandRunner {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    static String url(ConfigurableApplicationContext service) {
        return "http://127.0.0.1:" + service.getEnvironment().getRequiredProperty("local.server.port");
    }

    /** Returns the exit code. The environment has only these variables. */
    int run(ServiceRequestCommand command, Map<String, String> environment, String url, String... arguments) {
        out.getBuffer().setLength(0);
        CommandLine line = new CommandLine(command.with(environment))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true));
        return line.execute(
                Stream.concat(Stream.of(arguments), Stream.of("--url", url)).toArray(String[]::new));
    }

    /** Returns what the last command printed. */
    String out() {
        return out.toString();
    }

    /** Returns the errors of all commands. */
    String err() {
        return err.toString();
    }
}
