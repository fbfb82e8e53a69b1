package io.millrace.web.page;

import io.millrace.TestTimeout;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks a running service as the page does. */
final class PageClient {

    private final HttpClient http = HttpClient.newHttpClient();
    private final String address;

    PageClient(ConfigurableApplicationContext context) {
        address = "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
    }

    /** @param headers names and values in turns */
    HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = request(path);
        return http.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    HttpResponse<String> put(String path, String json) throws IOException, InterruptedException {
        return http.send(
                request(path)
                        .header("Content-Type", "application/json")
                        .PUT(BodyPublishers.ofString(json))
                        .build(),
                BodyHandlers.ofString());
    }

    JsonNode json(String path) throws IOException, InterruptedException {
        return JsonMapper.shared().readTree(get(path).body());
    }

    /** Begins to read a stream; whoever listens is listened to once this returns. */
    EventReader listen(String path) throws IOException, InterruptedException {
        HttpResponse<InputStream> answer =
                http.send(request(path).header("Accept", "text/event-stream").build(), BodyHandlers.ofInputStream());
        if (answer.statusCode() != 200) {
            throw new AssertionError(new String(answer.body().readAllBytes(), StandardCharsets.UTF_8));
        }
        return new EventReader(answer.body());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(address + path)).timeout(TestTimeout.MAX);
    }
}
