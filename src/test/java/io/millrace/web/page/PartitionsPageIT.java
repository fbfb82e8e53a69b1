package io.millrace.web.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.application.MillraceApplication;
import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.TradeFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.WebElement;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The page in a browser, over a pipeline that reads a file in two partitions, and one that has a single one. */
class PartitionsPageIT {

    /** Two stripes of a mebibyte, and a part of a third. */
    private static final int TRADES = 60_000;

    @TempDir
    Path folder;

    @Test
    void shouldShowThePartitionsOfAPipeline() throws Exception {
        Path trades = TradeFile.write(folder.resolve("trades.bin"), TradeFile.random(TRADES, 5));
        Path config = Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  data: %s
                  regions:
                    all: { layout: blocks }
                  pipelines:
                    divided:
                      partitions: 2
                      feed: { file: %s }
                      schema: trade
                      steps: [ { to: all } ]
                    whole:
                      feed: { file: %2$s }
                      schema: trade
                      steps: [ { to: all } ]
                """.formatted(folder.resolve("data"), trades));
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(MillraceApplication.class)
                        .run("--server.port=0", "--spring.config.additional-location=" + config.toUri());
                Browser browser = Browser.start(
                        "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"))) {
            await().until(() -> context.getBean(Pipelines.class).ended());
            browser.open("#overview");
            browser.until(".partitions summary").click();
            await().until(() -> browser.until(".partitions tbody tr:nth-child(2)")
                    .getText()
                    .matches("1\\s+done\\s+[\\d,.]+\\s+0\\s+this one"));
            assertThat(browser.all(".partitions")).hasSize(1);
            assertThat(browser.all(".partitions tbody tr")).hasSize(2);
            assertThat(browser.all(".partitions summary"))
                    .extracting(WebElement::getText)
                    .containsExactly("2 partitions, largest lag 0");
        }
    }
}
