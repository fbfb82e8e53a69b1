package io.millrace.feed.radius;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.extension.NoSettings;
import io.millrace.feed.FeedCheck;
import io.millrace.pipeline.definition.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class RadiusFeedFactoryTest {

    @TempDir
    Path folder;

    private final List<Problem> problems = new ArrayList<>();

    private RadiusSettings read(String... properties) {
        MapConfigurationPropertySource source = new MapConfigurationPropertySource();
        for (String property : properties) {
            String[] parts = property.split("=", 2);
            source.put("p." + parts[0], parts[1]);
        }
        RadiusProperties bound = new Binder(source).bindOrCreate("p", RadiusProperties.class);
        FeedCheck check = new FeedCheck(
                "radius",
                new NoSettings(),
                (at, message) -> problems.add(new Problem("millrace.pipelines.cdr." + at, message)));
        RadiusSettings definition =
                ((RadiusFeedFactory.Definition) new RadiusFeedFactory().define(bound, check)).settings();
        assertThat(definition + "" + bound + problems).doesNotContain("hush");
        return definition;
    }

    private void assertProblem(String at, String message) {
        assertThat(problems).anySatisfy(problem -> {
            assertThat(problem.property()).isEqualTo("millrace.pipelines.cdr.feed.radius." + at);
            assertThat(problem.message()).contains(message);
        });
    }

    @Test
    void shouldHaveDefaultsForAllButTheClients() {
        RadiusSettings options = read("clients[0].address=127.0.0.0/8", "clients[0].secret=hush");

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

        RadiusSettings options = read(
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
    void shouldReportEveryMistakeOfTheClients() throws IOException {
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

        assertProblem("clients[0].address", "Missing value: an address or a range");
        assertProblem("clients[1].address", "Invalid address 'localhost'");
        assertProblem("clients[2].secret", "Missing value: the secret");
        assertProblem("clients[3]", "Use either 'secret' or 'secret-file'.");
        assertProblem("clients[3].address", "Duplicate address '10.0.0.0/8'.");
        assertProblem("clients[4].address", "Set all bits behind the prefix to 0.");
        assertProblem("clients[4].secret-file", "File not found: 'nowhere'.");
        assertProblem("clients[5].secret-file", "Empty file");
    }

    @Test
    void shouldNeedAClient() {
        read("port=1813");

        assertProblem("clients", "Missing clients.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "port=65536; port; Invalid number '65536'. Use 0 to 65535.",
                "port=-1; port; Invalid number '-1'.",
                "address=; address; Empty address.",
                "max-pending-requests=0; max-pending-requests; Invalid number '0'. Use 1 to",
                "duplicate-cache-size=1000; duplicate-cache-size; Invalid number '1000'. Use at least 'max-pending-requests', 65536",
                "duplicate-cache-size=-1; duplicate-cache-size; Invalid number '-1'.",
                "max-pending-bytes=4095B; max-pending-bytes; Invalid number '4095'. Use 4096 to",
                "max-pending-bytes=8GB; max-pending-bytes; Invalid number '8589934592'.",
                "duplicate-window=-1s; duplicate-window; Invalid duration '-1s'. Use 0 or more.",
                "max-share-per-client=0%; max-share-per-client; Invalid percentage '0%'",
                "max-share-per-client=101%; max-share-per-client; Invalid percentage '101%'",
                "max-share-per-client=half; max-share-per-client; Invalid percentage 'half'",
                "max-response-delay=0s; max-response-delay; Invalid duration '0s'. Use a duration above 0.",
                "receive-buffer=1B; receive-buffer; Invalid number '1'."
            })
    void shouldReportWhatIsOutOfBounds(String property, String at, String message) {
        read("clients[0].address=127.0.0.0/8", "clients[0].secret=hush", property);

        assertProblem(at, message);
    }
}
