package io.millrace.observability;

import static org.awaitility.Awaitility.await;

import io.millrace.FreePort;
import io.millrace.TestTimeout;
import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The real Prometheus, in a folder of its own, asking services on this machine every second. */
public final class Prometheus implements AutoCloseable {

    /** What to say where it is not installed. */
    public static final String MISSING = "prometheus and promtool are not installed; Debian's prometheus has them";

    private final HttpClient http = HttpClient.newHttpClient();
    private final Process process;
    private final int port;
    private final Path log;

    private Prometheus(Process process, int port, Path log) {
        this.process = process;
        this.port = port;
        this.log = log;
    }

    /** Whether this machine has it. */
    public static boolean installed() {
        return Pattern.compile(File.pathSeparator)
                .splitAsStream(System.getenv().getOrDefault("PATH", ""))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "promtool"))
                        && Files.isExecutable(Path.of(folder, "prometheus")));
    }

    /**
     * Starts it, and returns once it answers.
     *
     * @param ports of the services
     */
    public static Prometheus start(Path folder, String rules, List<Integer> ports) throws IOException {
        Files.writeString(folder.resolve("rules.yml"), rules);
        List<String> targets = ports.stream().map(Prometheus::instance).toList();
        Path config = Files.writeString(folder.resolve("prometheus.yml"), """
                global: { scrape_interval: 1s, evaluation_interval: 1s }
                rule_files: [rules.yml]
                scrape_configs:
                  - job_name: millrace
                    metrics_path: /actuator/prometheus
                    static_configs: [targets: %s]
                """.formatted(targets));
        int port = FreePort.next();
        Path log = folder.resolve("prometheus.log");
        Process process = new ProcessBuilder(
                        "prometheus",
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + folder.resolve("tsdb"),
                        "--web.listen-address=" + instance(port))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Prometheus prometheus = new Prometheus(process, port, log);
        try {
            await().until(prometheus::isReady);
        } catch (Throwable t) {
            prometheus.close();
            throw t;
        }
        return prometheus;
    }

    private boolean isReady() throws IOException, InterruptedException {
        if (!process.isAlive()) {
            throw new AssertionError(Files.readString(log));
        }
        try {
            return http.send(
                                    HttpRequest.newBuilder(URI.create("http://" + instance(port) + "/-/ready"))
                                            .timeout(TestTimeout.MAX)
                                            .build(),
                                    BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (ConnectException e) {
            return false; // it does not listen yet
        }
    }

    /** What it calls the service at a port. */
    public static String instance(int port) {
        return "127.0.0.1:" + port;
    }

    /** How many series an expression gives. */
    public int query(String expression) throws IOException, InterruptedException {
        return api("query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8))
                .at("/result")
                .size();
    }

    /** The alerts that fire, each its name, instance and, if it has one, pipeline. */
    public List<String> firing() throws IOException, InterruptedException {
        List<String> firing = new ArrayList<>();
        for (JsonNode alert : api("alerts").at("/alerts")) {
            if (alert.at("/state").stringValue().equals("firing")) {
                JsonNode labels = alert.at("/labels");
                String pipeline = labels.at("/pipeline").asString("");
                firing.add(labels.at("/alertname").stringValue() + " "
                        + labels.at("/instance").stringValue() + (pipeline.isEmpty() ? "" : " " + pipeline));
            }
        }
        return firing;
    }

    private JsonNode api(String request) throws IOException, InterruptedException {
        URI uri = URI.create("http://" + instance(port) + "/api/v1/" + request);
        String body = http.send(
                        HttpRequest.newBuilder(uri).timeout(TestTimeout.MAX).build(), BodyHandlers.ofString())
                .body();
        JsonNode answer = JsonMapper.shared().readTree(body);
        if (!answer.at("/status").asString("").equals("success")) {
            throw new AssertionError(request + "\n" + body + "\n" + Files.readString(log));
        }
        return answer.at("/data");
    }

    @Override
    public void close() {
        process.destroyForcibly();
        http.close();
    }
}
