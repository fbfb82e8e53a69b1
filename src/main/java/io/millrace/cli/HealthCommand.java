package io.millrace.cli;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Tells whether a service on this machine is up. The check of containers, which is frequent, calls {@link #main}
 * instead: without the command line's libraries it takes a tenth of the processor time.
 */
@Command(
        name = "health",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  millrace health", "  millrace health copies --wait 240"},
        description = {
            "Asks a service on this machine for its health; exit code 0 if it is up, 1 if it is not.",
            "The port is MANAGEMENT_SERVER_PORT, else SERVER_PORT, else 8080; or --url."
        })
public final class HealthCommand implements Callable<Integer> {

    private static final int DOWN = 1;
    private static final int OK = 200;
    private static final int TIMEOUT_MILLIS = 4_000;
    private static final int PAUSE_MILLIS = 100;

    @Parameters(
            paramLabel = "GROUP",
            arity = "0..1",
            description = "readiness (default), liveness, or copies: of a server, whether every value has its copies")
    private String group = "readiness";

    @Option(names = "--url", description = "of the service, such as https://localhost:8443")
    @Nullable
    private String url;

    @Option(names = "--wait", description = "until it is up, for at most so many seconds")
    private int waitSeconds;

    /** Waits a little for readiness, so that a start is noticed at once, and ends with the exit code. */
    public static void main(String[] args) {
        HealthCommand command = new HealthCommand();
        command.waitSeconds = 2;
        System.exit(command.call());
    }

    @Override
    public Integer call() {
        String base = url == null ? "http://127.0.0.1:" + port() : url;
        URI uri = URI.create(base + "/actuator/health/" + group);
        long start = System.nanoTime();
        while (!isUp(uri)) {
            if (System.nanoTime() - start >= Duration.ofSeconds(waitSeconds).toNanos() || !pause()) {
                return DOWN;
            }
        }
        return 0;
    }

    private static String port() {
        String port = Objects.requireNonNullElse(System.getenv("SERVER_PORT"), "8080");
        return Objects.requireNonNullElse(System.getenv("MANAGEMENT_SERVER_PORT"), port);
    }

    private static boolean isUp(URI uri) {
        try {
            HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
            connection.setConnectTimeout(TIMEOUT_MILLIS);
            connection.setReadTimeout(TIMEOUT_MILLIS);
            return connection.getResponseCode() == OK;
        } catch (IOException e) {
            return false; // it does not listen, or takes too long
        }
    }

    /** Returns whether it was not interrupted. */
    private static boolean pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
