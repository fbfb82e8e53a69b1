package io.millrace.cli.rules;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A command that sends requests to a running service. Its errors are those of the service. */
abstract class RulesServiceCommand implements Callable<Integer> {

    static final int FINE = 0;
    static final int FAILED = 1;

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int OK = 200;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = {
                "URL of the service, such as https://localhost:8443. By default the value of MILLRACE_URL,",
                "or else http://127.0.0.1:8080."
            })
    private @Nullable String url;

    @Option(names = "--user", paramLabel = "NAME", description = "User of the service.", defaultValue = "admin")
    private String user = "";

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "File with the user's password, if the service has users.")
    private @Nullable Path passwordFile;

    /** Thrown if a request is refused or can't be sent. */
    static final class RequestException extends Exception {

        private static final long serialVersionUID = 1;

        RequestException(String message) {
            super(message);
        }
    }

    /** Sends requests. */
    final class Session {

        private final HttpClient client;

        private Session(HttpClient client) {
            this.client = client;
        }

        /** Returns the answer to a GET request below {@code /api}. */
        JsonNode get(String path) throws RequestException {
            return send(path, HttpRequest.newBuilder().GET());
        }

        /** Returns the answer to a POST request below {@code /api}. */
        JsonNode post(String path, String body, @Nullable Long newest) throws RequestException {
            HttpRequest.Builder request = HttpRequest.newBuilder()
                    .header(HttpHeaders.CONTENT_TYPE, "application/yaml")
                    .POST(BodyPublishers.ofString(body));
            if (newest != null) {
                request.header(HttpHeaders.IF_MATCH, "\"" + newest + "\"");
            }
            return send(path, request);
        }

        private JsonNode send(String path, HttpRequest.Builder builder) throws RequestException {
            String base = url != null
                    ? url
                    : Objects.requireNonNullElse(System.getenv("MILLRACE_URL"), "http://127.0.0.1:8080");
            String whole = (base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + "/api" + path;
            try {
                HttpRequest.Builder request = builder.uri(URI.create(whole))
                        .timeout(TIMEOUT)
                        .header(HttpHeaders.ACCEPT, "application/json");
                if (passwordFile != null) {
                    String password = Files.readString(passwordFile).strip();
                    request.header(
                            HttpHeaders.AUTHORIZATION,
                            "Basic " + HttpHeaders.encodeBasicAuth(user, password, StandardCharsets.UTF_8));
                }
                HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
                if (response.statusCode() != OK) {
                    throw new RequestException(problem(whole, response));
                }
                return JsonMapper.shared().readTree(response.body());
            } catch (IOException | IllegalArgumentException | JacksonException e) {
                throw new RequestException(
                        "No answer from " + whole + ": " + Objects.requireNonNullElse(e.getMessage(), e.toString()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new RequestException("No answer from " + whole + " in time.");
            }
        }

        private static String problem(String whole, HttpResponse<String> response) {
            try {
                JsonNode problem = JsonMapper.shared().readTree(response.body());
                JsonNode mistakes = problem.path("mistakes");
                if (!mistakes.isEmpty()) {
                    StringBuilder text = new StringBuilder("The rules have "
                            + (mistakes.size() == 1 ? "a mistake:" : mistakes.size() + " mistakes:"));
                    mistakes.forEach(mistake -> text.append("\n\n")
                            .append(mistake.path("property").asString(""))
                            .append(mistake.path("place").asString("").isEmpty()
                                    ? ""
                                    : " (" + mistake.path("place").asString("") + ")")
                            .append(":\n    ")
                            .append(mistake.path("message").asString("").replace("\n", "\n    ")));
                    return text.toString();
                }
                String detail = problem.path("detail").asString("");
                if (!detail.isEmpty()) {
                    return detail;
                }
            } catch (JacksonException _) {
                // not an answer of Millrace
            }
            return whole + " answered with status " + response.statusCode() + ".";
        }
    }

    @Override
    public final Integer call() {
        try (HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build()) {
            return run(new Session(client));
        } catch (RequestException e) {
            err().println(e.getMessage());
            return FAILED;
        }
    }

    /** Runs the command, and returns the exit code. */
    abstract int run(Session session) throws RequestException;

    /** Returns the path of a pipeline's rules. */
    static String rules(String pipeline) {
        return "/pipelines/" + encoded(pipeline) + "/rules";
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Prints what has become of a change. */
    final int print(String pipeline, JsonNode result) {
        JsonNode version = result.path("version");
        String state = result.path("state").asString("");
        out().println(pipeline + ": version " + version.path("number").asLong() + " " + state
                + (result.has("since") ? " since position " + result.path("since").asLong() : "")
                + (result.has("detail") ? ": " + result.path("detail").asString("") : ""));
        for (JsonNode use : result.path("processes")) {
            out().println("  " + use.path("process").asString("") + ": version "
                    + use.path("version").asLong() + " as " + use.path("writer").asString(""));
        }
        return FINE;
    }

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    final ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
