package io.millrace.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.feed.radius.RadiusClient;
import io.millrace.feed.radius.RadiusOptions;
import io.millrace.pipeline.definition.FeedDefinition.RadiusDefinition;
import io.millrace.pipeline.definition.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class RadiusReaderTest {

    @TempDir
    Path folder;

    private final List<Problem> problems = new ArrayList<>();

    private RadiusOptions read(String... properties) {
        MapConfigurationPropertySource source = new MapConfigurationPropertySource();
        for (String property : properties) {
            String[] parts = property.split("=", 2);
            source.put("p.feed.radius." + parts[0], parts[1]);
        }
        PipelineProperties pipeline = new Binder(source).bindOrCreate("p", PipelineProperties.class);
        assertThat(String.valueOf(pipeline)).doesNotContain("hush");
        RadiusDefinition definition = (RadiusDefinition)
                new DefinitionReader("cdr", pipeline, problems::add).read().feed();
        assertThat(definition.toString() + problems).doesNotContain("hush");
        return definition.options();
    }

    private void assertProblem(String at, String message) {
        assertThat(problems).anySatisfy(problem -> {
            assertThat(problem.property()).isEqualTo("millrace.pipelines.cdr.feed.radius." + at);
            assertThat(problem.message()).contains(message);
        });
    }

    @Test
    void shouldHaveDefaultsForAllButTheClients() {
        RadiusOptions options = read("clients[0].address=127.0.0.0/8", "clients[0].secret=hush");

        assertThat(problems.stream().filter(problem -> problem.property().contains("radius")))
                .isEmpty();
        assertThat(options.address()).isEqualTo("127.0.0.1");
        assertThat(options.port()).isEqualTo(1813);
        assertThat(options.duplicateWindow()).isEqualTo(Duration.ofSeconds(10));
        assertThat(options.duplicateCacheSize()).isEqualTo(262_144);
        assertThat(options.maxPendingRequests()).isEqualTo(65_536);
        assertThat(options.maxPendingOctets()).isEqualTo(16 << 20);
        assertThat(options.sharePerClient().share()).isEqualTo(0.75);
        assertThat(options.maxResponseDelay()).isEqualTo(Duration.ofSeconds(1));
        RadiusClient client = options.clients().getFirst();
        assertThat(client.range()).hasToString("127.0.0.0/8");
        assertThat(client.acceptZeroAuthenticator()).isFalse();
        assertThat(client.requireMessageAuthenticator()).isFalse();
    }

    @Test
    void shouldReadASecretFromAFileWithoutItsLineEnd() throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), "hush hush\n");

        RadiusOptions options = read(
                "clients[0].address=10.0.0.0/8",
                "clients[0].secret-file=" + file,
                "clients[0].accept-zero-authenticator=true",
                "clients[1].address=::1",
                "clients[1].secret=hush",
                "clients[1].require-message-authenticator=true");

        assertThat(problems.stream().filter(problem -> problem.property().contains("radius")))
                .isEmpty();
        assertThat(options.clients()).hasSize(2);
        assertThat(options.clients().get(0).acceptZeroAuthenticator()).isTrue();
        assertThat(options.clients().get(1).requireMessageAuthenticator()).isTrue();
    }

    @Test
    void shouldTellEveryMistakeOfTheClients() throws IOException {
        Path empty = Files.writeString(folder.resolve("empty"), "\n");
        read(
                "clients[0].secret=hush",
                "clients[1].address=localhost",
                "clients[1].secret=hush",
                "clients[2].address=10.0.0.0/8",
                "clients[3].address=10.0.0.0/8",
                "clients[3].secret=hush",
                "clients[3].secret-file=nowhere",
                "clients[4].address=10.0.0.1/8",
                "clients[4].secret-file=nowhere",
                "clients[5].address=10.1.0.0/16",
                "clients[5].secret-file=" + empty);

        assertProblem("clients[0].address", "is missing");
        assertProblem("clients[1].address", "address=localhost is no address or range");
        assertProblem("clients[2].secret", "is missing");
        assertProblem("clients[3]", "has both secret and secret-file");
        assertProblem("clients[3].address", "address=10.0.0.0/8 is another client's already");
        assertProblem("clients[4].address", "has bits set behind its prefix");
        assertProblem("clients[4].secret-file", "file=nowhere is not there or can't be read");
        assertProblem("clients[5].secret-file", "is empty");
    }

    @Test
    void shouldNeedAClient() {
        read("port=1813");

        assertProblem("clients", "there are none");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "port=65536; port; value=65536 is not between 0 and 65535",
                "port=-1; port; value=-1 is not between",
                "address=; address; is empty",
                "max-pending-requests=0; max-pending-requests; value=0 is not between 1 and",
                "duplicate-cache-size=1000; duplicate-cache-size; value=1000 is below max-pending-requests=65536",
                "duplicate-cache-size=-1; duplicate-cache-size; value=-1 is not between",
                "max-pending-bytes=4095B; max-pending-bytes; value=4095 is not between 4096 and",
                "max-pending-bytes=8GB; max-pending-bytes; value=8589934592 is not between",
                "duplicate-window=-1s; duplicate-window; is negative",
                "max-share-per-client=0%; max-share-per-client; Invalid percentage '0%'",
                "max-share-per-client=101%; max-share-per-client; Invalid percentage '101%'",
                "max-share-per-client=half; max-share-per-client; Invalid percentage 'half'",
                "max-response-delay=0s; max-response-delay; is not above 0",
                "receive-buffer=1B; receive-buffer; value=1 is not between"
            })
    void shouldTellWhatIsOutOfBounds(String property, String at, String message) {
        read("clients[0].address=127.0.0.0/8", "clients[0].secret=hush", property);

        assertProblem(at, message);
    }

    @Test
    void shouldHideSecretsWhereTheActuatorShowsValues() {
        var hide = new MillraceAutoConfiguration().millraceSecrets();
        SanitizableData secret =
                new SanitizableData(null, "millrace.pipelines.cdr.feed.radius.clients[0].secret", "hush");
        SanitizableData port = new SanitizableData(null, "millrace.pipelines.cdr.feed.radius.port", 1813);

        assertThat(Objects.requireNonNull(hide.apply(secret)).getValue()).isEqualTo(SanitizableData.SANITIZED_VALUE);
        assertThat(Objects.requireNonNull(hide.apply(port)).getValue()).isEqualTo(1813);
    }
}
