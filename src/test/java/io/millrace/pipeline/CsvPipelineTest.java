package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.codec.text.format.RecordFormat;
import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * A feed of CSV or of binary records in a pipeline: each line is stored once, or kept as a reject, whatever is
 * restarted.
 */
class CsvPipelineTest {

    private static final String CONFIGURATION = """
            millrace:
              batch-records: 4
              regions:
                all: { layout: blocks, block-records: 7, persistent: true }
                payments-rejected: { persistent: true }
              pipelines:
                payments:
                  schema: payment
                  steps:
                    - filter: amount != 5
                    - to: all
                  rejects: payments-rejected
            """;

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("payments.csv");
    }

    private ApplicationContextRunner pipeline(String layout) throws IOException {
        return pipeline(layout, "csv");
    }

    private ApplicationContextRunner pipeline(String layout, String feed) throws IOException {
        Path schemas = Files.createDirectories(folder.resolve("schemas"));
        Files.writeString(schemas.resolve("payment.yml"), """
                schema: payment
                layout: LAYOUT
                fields:
                  - { name: id, type: u32 }
                  - { name: note, type: string, length: 10 }
                  - { name: amount, type: i32 }
                """.replace("LAYOUT", layout));
        Path yaml = Files.writeString(folder.resolve("payments.yml"), CONFIGURATION);
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                .withInitializer(new ConfigDataApplicationContextInitializer())
                .withPropertyValues(
                        "spring.config.location=" + yaml.toUri(),
                        "millrace.schemas=" + schemas,
                        "millrace.pipelines.payments.feed." + feed + "=" + file,
                        "millrace.data=" + folder.resolve("data"));
    }

    /** Returns lines of which every 50th is bad, every 40th is dropped, and every 30th contains a line feed. */
    private static String lines(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> i
                        + (i % 30 == 0 ? ",\"a\n\"\"b\"," : ",a,")
                        + (i % 50 == 0 ? "x" : String.valueOf(i % 40 == 0 ? 5 : -i))
                        + "\n")
                .collect(Collectors.joining());
    }

    private static List<Long> stored(BeanFactory beans) {
        return beans.getBean(Store.class).query("all", new Query(null, List.of(), List.of(), 1000)).records().stream()
                .map(row -> Long.valueOf(String.valueOf(row.get("id"))))
                .toList();
    }

    private static void requireStored(BeanFactory beans, int lines) {
        requireStored(beans, lines, (lines + 49) / 50);
    }

    private static void requireStored(BeanFactory beans, int lines, int rejects) {
        Pipeline pipeline = beans.getBean(Pipelines.class).named("payments").orElseThrow();
        await().until(() -> pipeline.state() == PipelineState.DONE || pipeline.state() == PipelineState.FAILED);
        assertThat(pipeline.error()).isNull();
        assertThat(stored(beans))
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, lines)
                        .filter(i -> i % 50 != 0 && i % 40 != 0)
                        .mapToObj(Long::valueOf)
                        .toList());
        assertThat(beans.getBean(Store.class)
                        .query("payments-rejected", new Query(null, List.of(), List.of(), 1000))
                        .records())
                .hasSize(rejects);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldStoreEachLineOnceAcrossRestarts(String layout) throws IOException {
        Files.writeString(file, "id,note,amount\n" + lines(0, 600));
        for (int i = 1; i <= 4; i++) {
            int some = 100 * i;
            pipeline(layout).run(context -> await().until(() -> stored(context).size() >= some));
        }
        pipeline(layout).run(context -> requireStored(context, 600));
        Files.writeString(file, lines(600, 700), StandardOpenOption.APPEND);
        pipeline(layout).run(context -> requireStored(context, 700));
    }

    @Test
    void shouldStoreEachCompactRecordOfAFileOnceAcrossRestarts() throws IOException {
        ApplicationContextRunner pipeline = pipeline("compact", "file");
        Schema schema = SchemaReader.read(folder.resolve("schemas/payment.yml"));
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        RecordFormat.CSV.convert(
                RecordFormat.BINARY,
                schema,
                new ByteArrayInputStream(("id,note,amount\n" + lines(0, 700)).getBytes(StandardCharsets.UTF_8)),
                records,
                _ -> {});
        byte[] all = records.toByteArray();
        // The last record is incomplete until the rest of it is appended.
        Files.write(file, Arrays.copyOf(all, all.length - 3));
        for (int i = 1; i <= 4; i++) {
            int some = 100 * i;
            pipeline.run(context -> await().until(() -> stored(context).size() >= some));
        }
        pipeline.run(context -> requireStored(context, 699, 1));
        Files.write(file, all);
        pipeline.run(context -> requireStored(context, 700, 0));
    }

    /** A last line without a line end is a reject until the file has grown, and then the record that it has become. */
    @Test
    void shouldReadALineThatGrows() throws IOException {
        Files.writeString(file, "id,note,amount\n1,a,10\n2,b,12");
        pipeline("fixed").run(context -> requireAmounts(context, List.of(10L), 1));
        pipeline("fixed").run(context -> requireAmounts(context, List.of(10L), 1));
        Files.writeString(file, "34\r3,c,12", StandardOpenOption.APPEND);
        pipeline("fixed").run(context -> requireAmounts(context, List.of(10L, 1234L), 1));
        Files.writeString(file, "\r", StandardOpenOption.APPEND);
        pipeline("fixed").run(context -> requireAmounts(context, List.of(10L, 1234L, 12L), 0));
        Files.writeString(file, "\n4,\"d\n", StandardOpenOption.APPEND);
        pipeline("fixed").run(context -> requireAmounts(context, List.of(10L, 1234L, 12L), 1));
        Files.writeString(file, "5,e,1\",77\n", StandardOpenOption.APPEND);
        pipeline("fixed").run(context -> requireAmounts(context, List.of(10L, 1234L, 12L, 77L), 0));
    }

    /** The file has grown although it was said not to: the stored record is not changed, and the rest is a reject. */
    @ParameterizedTest
    @ValueSource(strings = {"millrace.pipelines.payments.feed.final=true", "millrace.exit-when-done=true"})
    void shouldReadTheLastLineOfAFileThatIsFinal(String property) throws IOException {
        Files.writeString(file, "id,note,amount\n1,\"a\n2,b,12");
        ApplicationContextRunner last = pipeline("fixed").withPropertyValues(property);
        last.run(context -> requireAmounts(context, List.of(12L), 1));
        Files.writeString(file, "34\n3,c,13", StandardOpenOption.APPEND);
        last.run(context -> requireAmounts(context, List.of(12L, 13L), 2));
        Files.writeString(file, "\n4,d,14\n", StandardOpenOption.APPEND);
        pipeline("fixed").run(context -> requireAmounts(context, List.of(12L, 13L, 14L), 2));
    }

    /** The brace of an object ends it. A rejected part of one at the end is read again when the file has grown. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "millrace.exit-when-done=false",
                "millrace.pipelines.payments.feed.final=true",
                "millrace.exit-when-done=true"
            })
    void shouldReadTheLastObjectOfAFileThatIsFinalOrMayGrow(String property) throws IOException {
        String object = "{\"id\":1,\"note\":\"a\",\"amount\":10}";
        Files.writeString(file, object + "\n" + object);
        ApplicationContextRunner pipeline = pipeline("fixed", "json-lines").withPropertyValues(property);
        pipeline.run(context -> requireAmounts(context, List.of(10L, 10L), 0));
        Files.writeString(file, "\n{\"id\":2,", StandardOpenOption.APPEND);
        pipeline.run(context -> requireAmounts(context, List.of(10L, 10L), 1));
        Files.writeString(file, "\"note\":\"b\",\"amount\":20}\n", StandardOpenOption.APPEND);
        pipeline.run(context -> requireAmounts(context, List.of(10L, 10L, 20L), 0));
    }

    private static void requireAmounts(BeanFactory beans, List<Long> amounts, int rejects) {
        Pipeline pipeline = beans.getBean(Pipelines.class).named("payments").orElseThrow();
        await().until(() -> pipeline.state() == PipelineState.DONE || pipeline.state() == PipelineState.FAILED);
        assertThat(pipeline.error()).isNull();
        Query all = new Query(null, List.of(), List.of(), 1000);
        assertThat(beans.getBean(Store.class)
                        .query("all", new Query(null, List.of(), List.of("id"), 1000))
                        .records())
                .extracting(row -> Long.valueOf(String.valueOf(row.get("amount"))))
                .containsExactlyElementsOf(amounts);
        assertThat(beans.getBean(Store.class).query("payments-rejected", all).records())
                .hasSize(rejects);
    }

    @ParameterizedTest
    @ValueSource(strings = {"id,note,amount\r1,a,10\r2,b,20\r", "id,note,amount\r1,a,10\n2,b,20\n"})
    void shouldReadLinesThatEndInCarriageReturns(String text) throws IOException {
        Files.writeString(file, text);
        pipeline("fixed").run(context -> requireAmounts(context, List.of(10L, 20L), 0));
    }

    @Test
    void shouldWaitForTheHeader() throws IOException {
        Files.writeString(file, "");
        pipeline("fixed").run(context -> requireAmounts(context, List.of(), 0));
        Files.writeString(file, "id,note,am");
        pipeline("fixed").run(context -> requireAmounts(context, List.of(), 1));
        Files.writeString(file, "ount\n1,a,10\n", StandardOpenOption.APPEND);
        pipeline("fixed").run(context -> requireAmounts(context, List.of(10L), 0));
    }

    @Test
    void shouldFailIfTheHeaderIsOfAnotherSchema() throws IOException {
        Files.writeString(file, "id,note,total\n");
        pipeline("fixed")
                .run(context ->
                        assertThat(context).getFailure().hasStackTraceContaining("line 1: Unknown column 3: 'total'"));
    }
}
