package io.millrace.cli.service;

import io.millrace.cli.error.CommandErrorCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Requests the HTTP API of a service. Not thread-safe. */
public final class ServiceClient implements AutoCloseable {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String DATA = "data:";
    private static final String JSON = "application/json";
    private static final int OK = 200;
    private static final int NO_CONTENT = 204;

    private final URI base;
    private final @Nullable String authorization;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build();
    private final JsonMapper mapper = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private ServiceClient(URI base, @Nullable String authorization) {
        this.base = base;
        this.authorization = authorization;
    }

    /**
     * Returns a client of a service.
     *
     * @param url URL of the service
     * @param authorization value of the header, or null
     * @throws IllegalArgumentException if the URL is invalid
     */
    public static ServiceClient of(String url, @Nullable String authorization) {
        URI base;
        try {
            base = URI.create(url.replaceFirst("/+$", ""));
        } catch (IllegalArgumentException e) {
            throw invalid(url);
        }
        if (base.getHost() == null
                || !Objects.requireNonNullElse(base.getScheme(), "").matches("https?")) {
            throw invalid(url);
        }
        return new ServiceClient(base, authorization);
    }

    private static IllegalArgumentException invalid(String url) {
        return new IllegalArgumentException("Invalid URL '" + url + "'. Use a URL such as https://localhost:8443.");
    }

    /** Returns a text as a part of a path, or as the value of a parameter. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    URI base() {
        return base;
    }

    /**
     * Returns a JSON document.
     *
     * @throws ServiceException if the service does not answer or refuses the request
     */
    public JsonNode get(String path) {
        return json(request(path, JSON), TIMEOUT);
    }

    /**
     * Posts a text, and returns the JSON document of the answer.
     *
     * @param text YAML
     * @param version number of the version that the resource must have, or null for any
     * @throws ServiceException if the service does not answer or refuses the request
     */
    public JsonNode post(String path, String text, @Nullable Long version) {
        return post(path, text, version, TIMEOUT);
    }

    /** The same with another timeout. */
    JsonNode post(String path, String text, @Nullable Long version, Duration timeout) {
        HttpRequest.Builder request =
                request(path, JSON).header("Content-Type", "application/yaml").POST(BodyPublishers.ofString(text));
        return json(version == null ? request : request.header("If-Match", "\"" + version + "\""), timeout);
    }

    /**
     * Deletes something.
     *
     * @throws ServiceException if the service does not answer or refuses the request
     */
    void delete(String path) {
        try (InputStream body = open(request(path, JSON).DELETE().timeout(TIMEOUT))) {
            body.skip(Long.MAX_VALUE);
        } catch (IOException e) {
            throw broken(e);
        }
    }

    private JsonNode json(HttpRequest.Builder request, Duration timeout) {
        try (InputStream body = open(request.timeout(timeout))) {
            return mapper.readTree(body);
        } catch (IOException e) {
            throw broken(e);
        } catch (JacksonException e) {
            throw new ServiceException(
                    CommandErrorCode.INVALID_ANSWER,
                    "Invalid answer from " + base + ". Is it the URL of a Millrace service?");
        }
    }

    private HttpRequest.Builder request(String path, String accepted) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + path)).header("Accept", accepted);
        return authorization == null ? request : request.header("Authorization", authorization);
    }

    /**
     * Returns the events of a stream as they arrive. It ends when the service stops. To be closed.
     *
     * @throws ServiceException if the service does not answer or refuses the request
     */
    Stream<JsonNode> events(String path) {
        BufferedReader lines = new BufferedReader(
                new InputStreamReader(open(request(path, "text/event-stream")), StandardCharsets.UTF_8));
        return lines.lines()
                .filter(line -> line.startsWith(DATA))
                .map(line -> mapper.readTree(line.substring(DATA.length())))
                .onClose(() -> {
                    try {
                        lines.close();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    private InputStream open(HttpRequest.Builder request) {
        HttpResponse<InputStream> response;
        try {
            response = http.send(request.build(), BodyHandlers.ofInputStream());
        } catch (IOException e) {
            throw broken(e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new ServiceException(CommandErrorCode.NO_ANSWER, "Interrupted before an answer from " + base + ".");
        }
        if (response.statusCode() != OK && response.statusCode() != NO_CONTENT) {
            throw refusal(response);
        }
        return response.body();
    }

    private ServiceException broken(IOException e) {
        String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return new ServiceException(CommandErrorCode.NO_ANSWER, "No answer from " + base + ": " + why);
    }

    /** Returns an error with the detail and the code of the problem that the response describes, or else its status. */
    private ServiceException refusal(HttpResponse<InputStream> response) {
        int status = response.statusCode();
        if (status == 401) {
            return new ServiceException(
                    CommandErrorCode.SIGN_IN,
                    authorization == null
                            ? base + " requires authentication. Use --user, or set MILLRACE_TOKEN."
                            : base
                                    + " does not accept the credentials. Check the user and the password, or the token.");
        }
        try (InputStream body = response.body()) {
            JsonNode problem = mapper.readTree(body);
            JsonNode detail = problem.get("detail");
            String code = problem.has("code")
                    ? AnswerText.line(problem.path("code"))
                    : CommandErrorCode.INVALID_ANSWER.code();
            if (problem.has("mistakes")) {
                return new ServiceException(code, mistakes(problem.path("mistakes"), code));
            }
            if (detail != null) {
                return new ServiceException(code, AnswerText.lines(detail));
            }
        } catch (IOException | JacksonException _) {
            // Something other than the service has answered.
        }
        return new ServiceException(
                CommandErrorCode.INVALID_ANSWER,
                response.uri() + " answers with status " + status + ". Is it the URL of a Millrace service?");
    }

    /** Returns each mistake with its place and a code, as {@code check} does. */
    private static String mistakes(JsonNode mistakes, String code) {
        StringBuilder text = new StringBuilder(
                mistakes.size() == 1
                        ? "The rules have a mistake:"
                        : "The rules have " + mistakes.size() + " mistakes:");
        for (JsonNode mistake : mistakes) {
            String place = AnswerText.line(mistake.path("place"));
            text.append("\n\n")
                    .append(AnswerText.line(mistake.path("property")))
                    .append(place.isEmpty() ? "" : " (" + place + ")")
                    .append(":\n    ")
                    .append(CommandErrorCode.message(mistake.path("message").asString(""), code)
                            .replace("\n", "\n    "));
        }
        return text.toString();
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
