package io.millrace.kafka;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.util.FileSystemUtils;

/** A broker alone for the tests of a class, as a registered extension. */
public final class TestBroker implements BeforeAllCallback, AfterAllCallback {

    private @Nullable Path folder;
    private @Nullable KafkaBroker broker;
    private @Nullable KafkaTopics topics;

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        Path created = Files.createTempDirectory("broker");
        folder = created;
        KafkaBroker started = KafkaBroker.start(created);
        broker = started;
        topics = new KafkaTopics(started.bootstrapServers());
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        topics().close();
        broker().close();
        FileSystemUtils.deleteRecursively(folder);
    }

    /** Returns the broker, which tests may stop and start again. */
    public KafkaBroker broker() {
        return Objects.requireNonNull(broker);
    }

    /** Returns its topics. */
    public KafkaTopics topics() {
        return Objects.requireNonNull(topics);
    }
}
