package io.millrace.feed.kafka.registry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A schema registry on loopback that knows the schemas that tests give it. Its port stays the same. */
public final class TestRegistry implements AutoCloseable {

    private static final int NOT_FOUND = 404;

    private final Map<String, Response> responses = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final Response unknown;
    private volatile @Nullable String authorization;
    private int port;
    private @Nullable HttpServer server;

    private record Response(int status, Map<String, String> headers, String body) {}

    private TestRegistry(String unknown) {
        this.unknown = new Response(NOT_FOUND, Map.of(), unknown);
    }

    /** Starts one that responds as Confluent's does. */
    public static TestRegistry confluent() {
        return new TestRegistry("{\"error_code\":40403,\"message\":\"Schema not found\"}").start();
    }

    /** Starts one that responds as Apicurio Registry 3 does. */
    public static TestRegistry apicurio() {
        return new TestRegistry("{\"detail\":\"ArtifactNotFoundException: No artifact was found.\",\"status\":404,"
                        + "\"title\":\"No artifact was found.\",\"name\":\"ArtifactNotFoundException\"}")
                .start();
    }

    /** Starts it, with the schemas that it has. */
    public TestRegistry start() {
        try {
            HttpServer created = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
            created.createContext("/", this::respond);
            created.start();
            port = created.getAddress().getPort();
            server = created;
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops it; its schemas stay. */
    public void stop() {
        Objects.requireNonNull(server).stop(0);
        server = null;
    }

    private void respond(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        requests.add(path);
        String required = authorization;
        Response response =
                required == null || required.equals(exchange.getRequestHeaders().getFirst("Authorization"))
                        ? responses.getOrDefault(path, unknown)
                        : new Response(401, Map.of(), "");
        response.headers().forEach(exchange.getResponseHeaders()::set);
        byte[] body = response.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(response.status(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** Adds a schema of Confluent's API. */
    public void addConfluent(int id, @Nullable String type) {
        respondTo(
                "/schemas/ids/" + id,
                200,
                Map.of(),
                type == null
                        ? "{\"schema\":\"\\\"string\\\"\"}"
                        : "{\"schemaType\":\"" + type + "\",\"schema\":\"{}\"}");
    }

    /** Adds a schema of Apicurio's API. */
    public void addApicurio(long id, String type) {
        respondTo("/apis/registry/v3/ids/globalIds/" + id, 200, Map.of("X-Registry-ArtifactType", type), "not JSON: {");
    }

    /** Sets the response to a path. */
    public void respondTo(String path, int status, Map<String, String> headers, String body) {
        responses.put(path, new Response(status, headers, body));
    }

    /** Requires a user from now on. */
    public void require(String user, String password) {
        authorization =
                "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the paths of all requests. */
    public List<String> requests() {
        return requests;
    }

    /** Returns its address. */
    public String url() {
        return "http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":" + port;
    }

    @Override
    public void close() {
        if (server != null) {
            stop();
        }
    }
}
