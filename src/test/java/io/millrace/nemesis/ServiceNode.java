package io.millrace.nemesis;

import static org.awaitility.Awaitility.await;

import io.millrace.MillraceProcess;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A process of Millrace on this machine that is killed, paused and started again. */
public final class ServiceNode implements Victim, AutoCloseable {

    private static final String PORT = "--millrace.geode.port=";

    private final String name;
    private final Starter starter;
    private final List<String> arguments;
    private volatile @Nullable MillraceProcess process;

    /** Starts a process. */
    @FunctionalInterface
    interface Starter {
        MillraceProcess start(String... arguments) throws IOException;
    }

    ServiceNode(String name, Starter starter, List<String> arguments) {
        this.name = name;
        this.starter = starter;
        this.arguments = arguments;
    }

    /** Returns its name, which is that of its data folder. */
    public String name() {
        return name;
    }

    /** Returns the port of a server or locator. */
    public int port() {
        return arguments.stream()
                .filter(argument -> argument.startsWith(PORT))
                .mapToInt(argument -> Integer.parseInt(argument.substring(PORT.length())))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the process of its latest start. */
    public MillraceProcess millrace() {
        return Objects.requireNonNull(process);
    }

    /** Starts it with arguments that are changed once, such as those of another configuration. */
    public void restart(UnaryOperator<String> change) throws IOException {
        process = starter.start(arguments.stream().map(change).toArray(String[]::new));
    }

    @Override
    public void restart() throws IOException {
        restart(UnaryOperator.identity());
    }

    @Override
    public void kill() throws InterruptedException {
        millrace().kill();
    }

    @Override
    public void shutDown() throws IOException, InterruptedException {
        millrace().stop();
    }

    @Override
    public void pause() throws IOException, InterruptedException {
        millrace().signal("STOP");
    }

    @Override
    public void resume() throws IOException, InterruptedException {
        millrace().signal("CONT");
    }

    /** Returns the state of a pipeline; empty while it does not answer. */
    public String state(String pipeline) {
        String page = millrace().page("/api/pipelines/" + pipeline);
        int at = page.indexOf("\"state\":\"");
        return at < 0 ? "" : page.substring(at + 9, page.indexOf('"', at + 9));
    }

    /** Waits until it is ready, or a part of its health with this name is up. */
    public void awaitUp(String part) {
        await(name + " " + part).until(() -> isUp(part));
    }

    private boolean isUp(String part) throws InterruptedException {
        try {
            return millrace()
                            .send("GET", "/actuator/health/" + part, "text/plain", "")
                            .statusCode()
                    == 200;
        } catch (IOException e) {
            if (!millrace().alive()) {
                throw new IllegalStateException(name + " has ended.", e);
            }
            return false; // it starts
        }
    }

    @Override
    public void close() {
        MillraceProcess started = process;
        if (started != null) {
            started.close();
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
