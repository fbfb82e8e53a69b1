package io.millrace.testcontainers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;

/**
 * A Millrace in a container: an ingest, unless it is {@linkplain #withRole told otherwise}. It has started once it is
 * ready: an ingest once its regions are there, a server or a locator once it is in its cluster.
 */
public class MillraceContainer<S extends MillraceContainer<S>> extends GenericContainer<S> {

    /** Where it is asked. */
    public static final int HTTP_PORT = 8080;

    private static final String FOLDER = "/millrace/";
    private static final Duration LONGEST_START = Duration.ofMinutes(3);

    private final List<String> configurations = new ArrayList<>();
    private final Map<String, Transferable> files = new LinkedHashMap<>();
    private final Map<String, String> properties = new LinkedHashMap<>();
    private String role = "run";

    /** @param image name of the project's image */
    public MillraceContainer(String image) {
        super(DockerImageName.parse(image));
        waitStrategy =
                Wait.forHttp("/actuator/health/readiness").forPort(HTTP_PORT).withStartupTimeout(LONGEST_START);
        // The network of a test is its own.
        properties.put("millrace.security.open", "true");
        // Whatever a configuration says that is shared with an application.
        properties.put("server.port", String.valueOf(HTTP_PORT));
    }

    /** Says what it is to be, by a command of the command line: {@code run}, {@code server} or {@code locator}. */
    public S withRole(String command) {
        role = command;
        return self();
    }

    /** Gives it a configuration, YAML; later ones win over earlier ones. */
    public S withConfiguration(Transferable yaml) {
        String name = "configuration-" + configurations.size() + ".yml";
        configurations.add(name);
        return withFile(name, yaml);
    }

    /**
     * Gives it a file or a folder.
     *
     * @param path as a configuration names it, such as {@code schemas/call.yml}
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

    /** Gives another one all that this one was given. */
    final void giveTo(MillraceContainer<?> other) {
        other.configurations.addAll(configurations);
        other.files.putAll(files);
        other.properties.putAll(properties);
        other.withEnv(getEnvMap());
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

    /** Where a path of its HTTP interface is reached from here. */
    public final String url(String path) {
        return "http://" + getHost() + ":" + getMappedPort(HTTP_PORT) + path;
    }
}
