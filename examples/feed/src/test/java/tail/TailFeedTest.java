package tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.client.MillraceClient;
import io.millrace.client.RegionClient;
import io.millrace.pipeline.Pipelines;
import io.millrace.schema.yaml.Schemas;
import io.millrace.test.TestRecords;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The feed in a running application, tested by types of the Java API only. */
class TailFeedTest {

    @TempDir
    private Path folder;

    /** What the test reads of a record. */
    public interface Trade {
        long getId();
    }

    @Test
    void shouldStoreTheRecordsOfTheFile() throws Exception {
        Path trades = folder.resolve("trades.bin");
        Files.write(
                trades,
                TestRecords.of(Schemas.builtIn().get("trade"))
                        .add(Map.of("id", 1))
                        .add(Map.of("id", 2))
                        .bytes());
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(TailApplication.class)
                .run(
                        "--server.port=0",
                        "--millrace.data=" + folder.resolve("data"),
                        "--millrace.pipelines.trades.feed.tail.path=" + trades)) {
            RegionClient<Trade> stored =
                    application.getBean(MillraceClient.class).region("trades", Trade.class);
            await().atMost(Duration.ofMinutes(15))
                    .until(() -> stored.all().list().size() == 2);

            assertThat(stored.all().list()).extracting(Trade::getId).containsExactly(1L, 2L);
            assertThat(application
                            .getBean(Pipelines.class)
                            .named("trades")
                            .orElseThrow()
                            .error())
                    .isNull();
        }
    }
}
