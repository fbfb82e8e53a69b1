package io.millrace.testcontainers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;

/**
 * A container of Millrace: an ingest node, unless it is {@linkplain #withRole set to another role}. It has started when
 * it is ready: an ingest node when its regions are open, a server or a locator when it has joined its cluster.
 */
@API(status = API.Status.STABLE)
public class MillraceContainer<S extends MillraceContainer<S>> extends GenericContainer<S> {

    /** Port of the HTTP interface. */
    public static final int HTTP_PORT = 8080;

    private static final String FOLDER = "/millrace/";
    private static final Duration MAX_START_TIME = Duration.ofMinutes(3);

    private final List<String> configurations = new ArrayList<>();
    private final Map<String, Transferable> files = new LinkedHashMap<>();
    private final Map<String, String> properties = new LinkedHashMap<>();
    private String role = "run";
    private Duration startupTimeout = MAX_START_TIME;

    /** @param image name of Millrace's image */
    public MillraceContainer(String image) {
        super(DockerImageName.parse(image));
        waitStrategy =
                Wait.forHttp("/actuator/health/readiness").forPort(HTTP_PORT).withStartupTimeout(MAX_START_TIME);
        // A test's network is private.
        properties.put("millrace.security.open", "true");
        // Overrides a configuration that is shared with an application.
        properties.put("server.port", String.valueOf(HTTP_PORT));
    }

    /** Sets the role by a command of the command line: {@code run}, {@code server} or {@code locator}. */
    public S withRole(String command) {
        role = command;
        return self();
    }

    /** Adds a configuration in YAML; later ones take precedence over earlier ones. */
    public S withConfiguration(Transferable yaml) {
        String name = "configuration-" + configurations.size() + ".yml";
        configurations.add(name);
        return withFile(name, yaml);
    }

    /**
     * Adds a file or a folder.
     *
     * @param path as in the configuration, such as {@code schemas/call.yml}
     */
    public S withFile(String path, Transferable content) {
        files.put(path, content);
        return self();
    }

    /** Sets a property of Millrace or Spring Boot. */
    public S withProperty(String name, String value) {
        properties.put(name, value);
        return self();
    }

    /** Sets the time until it must be ready; 3 minutes by default. */
    @Override
    public S withStartupTimeout(Duration timeout) {
        startupTimeout = timeout;
        return super.withStartupTimeout(timeout);
    }

    /** Copies all settings of this container to another one. */
    final void giveTo(MillraceContainer<?> other) {
        other.configurations.addAll(configurations);
        other.files.putAll(files);
        other.properties.putAll(properties);
        other.withEnv(getEnvMap());
        other.withStartupTimeout(startupTimeout);
    }

    @Override
    protected void configure() {
        addExposedPort(HTTP_PORT);
        files.forEach((path, content) -> withCopyToContainer(content, FOLDER + path));
        List<String> command = new ArrayList<>();
        command.add(role);
        command.addAll(configurations);
        properties.forEach((name, value) -> command.add("--" + name + "=" + value));
        withCommand(command.toArray(String[]::new));
    }

    /** Returns the URL of a path of the HTTP interface, for clients outside the container. */
    public final String url(String path) {
        return "http://" + getHost() + ":" + getMappedPort(HTTP_PORT) + path;
    }
}
