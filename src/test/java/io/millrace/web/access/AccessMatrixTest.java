package io.millrace.web.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestTimeout;
import io.millrace.application.MillraceApplication;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.yaml.snakeyaml.Yaml;

/**
 * Each endpoint of the actuator and each operation of the OpenAPI document, requested without a user and by each role,
 * with several base paths of the actuator, on the port of the service and on one of its own.
 */
class AccessMatrixTest {

    private static final String PASSWORD = "a password of some length";
    private static final List<String> ROLES = List.of("nobody", "viewer", "operator", "admin");
    private static final Set<String> FOR_VIEWERS =
            Set.of("health", "info", "metrics", "prometheus", "integrationgraph", "sbom");
    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete");
    private static final Set<String> PROBES = Set.of("/liveness", "/readiness", "/copies");

    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "/actuator, false",
        "/actuator, true",
        "/, false",
        "/, true",
        "/manage/, true",
        "/api, false",
    })
    void shouldPermitByRole(String basePath, boolean ownPort) throws Exception {
        try (ConfigurableApplicationContext context = start(basePath, ownPort)) {
            List<String> wrong = new ArrayList<>();
            actuator(context, ownPort).forEach((url, least) -> check("GET", url, least, wrong));
            operations(context).forEach((operation, least) -> {
                int space = operation.indexOf(' ');
                check(operation.substring(0, space), operation.substring(space + 1), least, wrong);
            });
            assertThat(wrong).isEmpty();
        }
    }

    private ConfigurableApplicationContext start(String basePath, boolean ownPort) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--management.endpoints.web.exposure.include=*",
                "--management.endpoints.web.base-path=" + basePath,
                "--management.endpoint.shutdown.access=unrestricted",
                "--millrace.data=" + folder));
        if (ownPort) {
            arguments.add("--management.server.port=0");
            arguments.add("--management.server.address=127.0.0.1");
        }
        for (String role : ROLES.subList(1, ROLES.size())) {
            arguments.add("--millrace.security.users." + role + ".password=" + Passwords.hash(PASSWORD));
            arguments.add("--millrace.security.users." + role + ".role=" + role);
        }
        return new SpringApplicationBuilder(MillraceApplication.class).run(arguments.toArray(String[]::new));
    }

    private static String url(ConfigurableApplicationContext context, boolean ownPort, String path) {
        String port = ownPort ? "local.management.port" : "local.server.port";
        return "http://127.0.0.1:" + context.getEnvironment().getProperty(port) + path;
    }

    /** Returns the URLs of the actuator, each with the first role that may read it. */
    private static Map<String, Integer> actuator(ConfigurableApplicationContext context, boolean ownPort) {
        Map<String, Integer> least = new TreeMap<>();
        PathMappedEndpoints endpoints = context.getBean(PathMappedEndpoints.class);
        endpoints.forEach(endpoint -> {
            String name = endpoint.getRootPath();
            String path = Objects.requireNonNull(endpoints.getPath(EndpointId.of(name)));
            int role = FOR_VIEWERS.contains(name) ? 1 : 3;
            least.put(url(context, ownPort, path), role);
            least.put(url(context, ownPort, path + "/x"), role);
            if (name.equals("health")) {
                PROBES.forEach(probe -> least.put(url(context, ownPort, path + probe), 0));
                least.put(url(context, ownPort, path + "/ping"), 1);
            }
        });
        assertThat(least).hasSizeGreaterThan(20);
        return least;
    }

    /** Returns the operations of the document, each with the first role that may request it. */
    private static Map<String, Integer> operations(ConfigurableApplicationContext context) throws IOException {
        Map<String, Integer> least = new TreeMap<>();
        try (InputStream file = AccessMatrixTest.class.getResourceAsStream("/millrace/openapi.yml")) {
            Map<String, Map<String, Map<String, Object>>> document = new Yaml().load(file);
            Objects.requireNonNull(document.get("paths"))
                    .forEach((path, operations) -> operations.forEach((method, operation) -> {
                        if (METHODS.contains(method)) {
                            String url = url(context, false, "/api" + path.replaceAll("\\{[^}]*}", "x"));
                            boolean open = operation instanceof Map<?, ?> map && map.containsKey("security");
                            least.put(
                                    method.toUpperCase(Locale.ROOT) + " " + url,
                                    open ? 0 : method.equals("get") ? 1 : 2);
                        }
                    }));
        }
        assertThat(least).hasSizeGreaterThan(20);
        return least;
    }

    /**
     * Adds what is wrong. What a role may request is not always sent: some responses are endless, or end the process.
     */
    private void check(String method, String url, int least, List<String> wrong) {
        for (int role = 0; role < ROLES.size(); role++) {
            boolean permitted = role >= least;
            if (permitted && !isHarmless(method, url)) {
                continue;
            }
            int status = status(method, url, role == 0 ? null : ROLES.get(role));
            boolean refused = status == (role == 0 ? 401 : 403);
            if (refused == permitted) {
                wrong.add(method + " " + url + " as " + ROLES.get(role) + ": " + status);
            }
        }
    }

    private static boolean isHarmless(String method, String url) {
        return method.equals("GET") && !url.contains("heapdump") && !url.contains("shutdown");
    }

    private int status(String method, String url, @Nullable String user) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                .timeout(TestTimeout.MAX)
                .method(method, method.equals("GET") ? BodyPublishers.noBody() : BodyPublishers.ofString("{}"))
                .header("Content-Type", "application/json");
        if (user != null) {
            String credentials = user + ":" + PASSWORD;
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)));
        }
        try {
            HttpResponse<InputStream> response = http.send(request.build(), BodyHandlers.ofInputStream());
            response.body().close(); // also of an endless stream
            return response.statusCode();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
