package io.millrace.web.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.application.MillraceApplication;
import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineState;
import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.TradeFile;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The page in a browser, over a pipeline that fails, one that rejects all of its records, and one that can't read its
 * feed.
 */
class FaultyPipelineIT {

    @TempDir
    Path folder;

    @Test
    void shouldSayFirstWhatIsWrongInEveryView() throws Exception {
        Path good = TradeFile.write(folder.resolve("good.bin"), TradeFile.random(100, 1));
        byte[] garbage = new byte[100 * TradeFile.LENGTH];
        Arrays.fill(garbage, (byte) 0xEE);
        Path bad = Files.write(folder.resolve("bad.bin"), garbage);
        ServerSocket other = new ServerSocket(0);
        Path config = Files.writeString(
                folder.resolve("config.yml"), """
                millrace:
                  data: %s
                  regions:
                    buys: { layout: blocks }
                  pipelines:
                    rejecting:
                      feed: { file: %s }
                      schema: trade
                      steps: [ { to: buys } ]
                    failing:
                      feed: { file: %s }
                      schema: trade
                      steps: [ { to: "channel:nobody" } ]
                    listening:
                      feed: { tcp: { port: %d } }
                      schema: trade
                      steps: [ { to: buys } ]
                """.formatted(folder.resolve("data"), bad, good, other.getLocalPort()));
        try (other;
                ConfigurableApplicationContext context = new SpringApplicationBuilder(MillraceApplication.class)
                        .run("--server.port=0", "--spring.config.additional-location=" + config.toUri())) {
            awaitFaults(context.getBean(Pipelines.class));
            requireFaultsShown(context);
        }
    }

    private static void awaitFaults(Pipelines pipelines) {
        await().until(() -> pipelines.named("failing").orElseThrow().state() == PipelineState.FAILED
                && pipelines.named("rejecting").orElseThrow().rejectStatus().reached()
                && pipelines.named("listening").orElseThrow().error() != null);
    }

    private static void requireFaultsShown(ConfigurableApplicationContext context) {
        try (Browser browser =
                Browser.start("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"))) {
            for (String view : new String[] {"#overview", "#flow", "#measures"}) {
                browser.open(view);
                assertThat(browser.until(".faults .problem:nth-of-type(1)").getText())
                        .as(view)
                        .startsWith("failing failed:")
                        .contains("nobody");
                assertThat(browser.until(".faults .problem:nth-of-type(2)").getText())
                        .as(view)
                        .startsWith("rejecting rejects 100% of its records (100 of 100): invalid-value");
                assertThat(browser.until(".faults .problem:nth-of-type(3)").getText())
                        .as(view)
                        .startsWith("listening can't read its feed: Unable to listen on");
                assertThat(browser.until(".connection.faulty").getText()).contains("Live, with faults");
            }
            browser.open("#overview");
            browser.until(".pipeline.faulty .chip.bad");
            assertThat(browser.all(".pipeline.faulty")).hasSize(3);

            browser.until(".faults .restart").click();
            Pipeline failing = context.getBean(Pipelines.class).named("failing").orElseThrow();
            await().until(() -> failing.superseded().get() == 100);
            await().until(() -> failing.state() == PipelineState.FAILED);
            browser.until(".faults .restart");
        }
    }
}
