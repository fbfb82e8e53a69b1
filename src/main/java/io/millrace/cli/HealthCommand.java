package io.millrace.cli;

import io.millrace.cli.error.CommandErrorCode;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Checks whether a service on this machine is up. The health check of the image, which runs every few seconds, calls
 * {@link #main}: it loads none of the command line's libraries.
 */
@Command(
        name = "health",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  millrace health", "  millrace health copies --wait 240"},
        description = {
            "Checks the health of a service on this machine; exit code 0 if it is up, 1 if it is not.",
            "The URL is --url or MILLRACE_HEALTH_URL; by default http://127.0.0.1 with the port of"
                    + " MANAGEMENT_SERVER_PORT, of SERVER_PORT, or 8080."
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

    @Option(names = "--url", paramLabel = "URL", description = "URL of the service, such as https://localhost:8443.")
    @Nullable
    private String url;

    private String reason = "";

    @Option(names = "--wait", paramLabel = "SECONDS", description = "Maximum time to wait until it is up.")
    private int waitSeconds;

    /** Waits up to 2 seconds for readiness, so that a start is noticed at once, and exits with the exit code. */
    public static void main(String[] args) {
        HealthCommand command = new HealthCommand();
        command.waitSeconds = 2;
        System.exit(command.call());
    }

    @Override
    public Integer call() {
        String base = url != null ? url : System.getenv("MILLRACE_HEALTH_URL");
        if (base == null) {
            base = "http://127.0.0.1:" + port();
        }
        URI uri;
        try {
            uri = URI.create(base + "/actuator/health/" + group);
        } catch (IllegalArgumentException e) {
            System.err.println(CommandErrorCode.INVALID_ARGUMENT.message("Invalid URL: " + e.getMessage()));
            return DOWN;
        }
        long start = System.nanoTime();
        while (!isUp(uri)) {
            if (System.nanoTime() - start >= Duration.ofSeconds(waitSeconds).toNanos() || !pause()) {
                System.err.println(CommandErrorCode.NOT_UP.message(uri + " is not up: " + reason));
                return DOWN;
            }
        }
        return 0;
    }

    private static String port() {
        String port = Objects.requireNonNullElse(System.getenv("SERVER_PORT"), "8080");
        return Objects.requireNonNullElse(System.getenv("MANAGEMENT_SERVER_PORT"), port);
    }

    private boolean isUp(URI uri) {
        try {
            if (!(uri.toURL().openConnection() instanceof HttpURLConnection connection)) {
                reason = "not an HTTP URL";
                return false;
            }
            if (connection instanceof HttpsURLConnection secure
                    && InetAddress.getByName(uri.getHost()).isLoopbackAddress()) {
                acceptAnyCertificate(secure);
            }
            connection.setConnectTimeout(TIMEOUT_MILLIS);
            connection.setReadTimeout(TIMEOUT_MILLIS);
            int status = connection.getResponseCode();
            reason = "status " + status;
            return status == OK;
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            reason = String.valueOf(e.getMessage()); // it does not listen, or takes too long
            return false;
        }
    }

    /**
     * Accepts any certificate, as probes of Kubernetes do: the connection does not leave this machine, the request
     * contains no secret, and the certificate is for the public name of the service.
     */
    private static void acceptAnyCertificate(HttpsURLConnection connection) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new AnyCertificate()}, null);
        connection.setSSLSocketFactory(context.getSocketFactory());
        connection.setHostnameVerifier((_, _) -> true);
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

    /** Without a library, because the health check of the image runs with the jar of Millrace alone. */
    private static final class AnyCertificate extends X509ExtendedTrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
