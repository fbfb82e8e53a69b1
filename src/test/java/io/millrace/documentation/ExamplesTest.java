package io.millrace.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import desk.RiskFunctions;
import desk.TradeListener;
import io.millrace.application.MillraceApplication;
import io.millrace.cli.convert.ConvertCommand;
import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.TradeFile;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;
import picocli.CommandLine;
import spool.SpoolFactory;

/** The Java examples. The other ones are run by ExamplesIT. */
class ExamplesTest {

    @TempDir
    Path folder;

    @Test
    void shouldListenNextToThePipeline() throws Exception {
        Path bin = folder.resolve("trades.bin");
        assertThat(new CommandLine(new ConvertCommand())
                        .execute("--schema", "trade", "examples/trades.csv", bin.toString()))
                .isZero();
        Path config = Files.writeString(
                folder.resolve("trades.yml"),
                Files.readString(Path.of("examples/trades.yml"))
                        .replaceFirst("generator: \\{ .* } }", "file: " + bin + " }"));
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(
                        MillraceApplication.class, TradeListener.class)
                .run(
                        "--server.port=0",
                        "--spring.config.additional-location=file:" + config,
                        "--millrace.data=" + folder)) {
            Awaitility.await().until(() -> context.getBean(Pipelines.class).ended());
            TradeListener listener = context.getBean(TradeListener.class);
            assertThat(listener.trades()).isEqualTo(9);
            assertThat(listener.amount()).isEqualByComparingTo("160500000.00");

            byte[] trades = Files.readAllBytes(bin);
            for (int at = 0; at < trades.length; at += 39) {
                context.getBean("single-trades", MessageChannel.class)
                        .send(new GenericMessage<>(Arrays.copyOfRange(trades, at, at + 39)));
            }
            assertThat(listener.pounds()).isEqualTo(2);
        }
    }

    @Test
    void shouldWriteToAnOutputOfTheApplication() throws Exception {
        List<TradeFile.Trade> trades = TradeFile.random(3_000, 5);
        for (int count : new int[] {1_000, 1_001, 3_000}) {
            Path bin = TradeFile.write(folder.resolve("trades.bin"), trades.subList(0, count));
            try (ConfigurableApplicationContext context = new SpringApplicationBuilder(
                            MillraceApplication.class, SpoolFactory.class)
                    .run(
                            "--server.port=0",
                            "--spring.config.additional-location=file:examples/java/spool/application.yml",
                            "--millrace.data=" + folder.resolve("data"),
                            "--millrace.pipelines.trades.feed.file=" + bin,
                            "--millrace.outputs.sells.spool.folder=" + folder.resolve("spool"))) {
                Awaitility.await().until(() -> context.getBean(Pipelines.class).ended());
                assertThat(context.getBean(Pipelines.class).all().getFirst().error())
                        .isNull();
            }
            assertThat(spooled())
                    .isEqualTo(trades.subList(0, count).stream()
                            .filter(trade -> !trade.buy())
                            .toList());
        }
    }

    private List<TradeFile.Trade> spooled() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (Stream<Path> files = Files.list(folder.resolve("spool/trades-0"))) {
            for (Path file : files.sorted().toList()) {
                all.write(Files.readAllBytes(file));
            }
        }
        return TradeFile.read(all.toByteArray());
    }

    @Test
    void shouldCallFunctionsOfTheApplication() throws Exception {
        Path bin = folder.resolve("trades.bin");
        assertThat(new CommandLine(new ConvertCommand())
                        .execute("--schema", "trade", "examples/trades.csv", bin.toString()))
                .isZero();
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(
                        MillraceApplication.class, RiskFunctions.class)
                .run(
                        "--server.port=0",
                        "--spring.config.additional-location=file:examples/java/functions.yml",
                        "--millrace.data=" + folder,
                        "--millrace.pipelines.risks.feed.file=" + bin)) {
            Awaitility.await().until(() -> context.getBean(Pipelines.class).ended());
            Query query = new Query(
                    "#riskClass(currency1, amount1) >= 2", List.of("id", "riskClass", "due"), List.of("id"), 10);
            assertThat(context.getBean(Store.class).query("risky", query).records())
                    .extracting(record -> record.get("id") + " " + record.get("riskClass") + " " + record.get("due"))
                    .containsExactly("1 2 2014-07-22", "4 3 2014-07-24", "6 3 2014-07-25", "8 3 2014-07-28");
        }
    }
}
