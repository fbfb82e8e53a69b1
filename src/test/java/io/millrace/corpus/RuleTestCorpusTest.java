package io.millrace.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.check.TestCommand;
import io.millrace.cli.service.LiveTests;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.text.format.RecordFormat;
import io.millrace.expression.CorpusExpression;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Tests of rules whose records are those of the corpus, as values, JSON and bytes, and that expect of a filter and a
 * set what stock SpEL says, or what {@code tap} has written: all pass.
 */
class RuleTestCorpusTest {

    private static final int SAMPLES = 4 * Integer.getInteger("millrace.rounds", 1);
    private static final long SEED = 20261126 + Long.getLong("millrace.seed", 0);
    private static final int RECORDS = 30;

    @TempDir
    Path folder;

    private final Random random = new Random(SEED);

    @Test
    void shouldPassIfExpectationsAreThoseOfStockSpel() throws IOException {
        int passed = 0;
        while (passed < SAMPLES) {
            CorpusRecords records = CorpusRecords.random(random, CorpusField.random(random), RECORDS, false);
            CorpusExpression condition = CorpusExpression.condition(random, records.schema());
            CorpusExpression value = CorpusExpression.number(random, records.schema());
            if (!suits(condition, value, records)) {
                continue;
            }
            for (CorpusForm form : records.forms()) {
                run(config(condition, value, records, form), form);
            }
            passed++;
        }
    }

    @Test
    void shouldPassIfTapHasWrittenThem() throws IOException {
        int passed = 0;
        while (passed < SAMPLES) {
            CorpusRecords records = CorpusRecords.random(random, CorpusField.random(random), RECORDS, false);
            CorpusExpression condition = CorpusExpression.condition(random, records.schema());
            CorpusExpression value = CorpusExpression.value(random, records.schema());
            if (!suits(condition, value, records)) {
                continue;
            }
            for (CorpusForm form : records.forms()) {
                Files.writeString(folder.resolve("corpus.yml"), form.text());
                String rules = rules(condition.text(), value.text());
                Path file = Files.writeString(folder.resolve("rules.yml"), withoutTests(rules));
                run(rules + LiveTests.write(file, "p", form.records()), form);
            }
            passed++;
        }
    }

    @Test
    void shouldPassIfTapHasWrittenThemForTextsThatATestCannotExpect() throws IOException {
        CorpusRecords records = CorpusRecords.of(
                List.of(
                        new CorpusField(CorpusRecords.NUMBER, "u32", "", false, false),
                        new CorpusField("f0", "string, length: 12, charset: utf8", "", true, true)),
                Stream.of("", "a", "${HOME}", "'\"\\")
                        .map(text -> Map.<String, @Nullable Object>of(CorpusRecords.NUMBER, 1L, "f0", text))
                        .toList());
        for (CorpusForm form : records.forms()) {
            Files.writeString(folder.resolve("corpus.yml"), form.text());
            String rules = rules("true", "f0");
            Path file = Files.writeString(folder.resolve("rules.yml"), withoutTests(rules));
            run(rules + LiveTests.write(file, "p", form.records()), form);
        }
    }

    private static String withoutTests(String rules) {
        return rules.replaceAll("\\s*tests:\\s*$", "\n");
    }

    /** Whether a pipeline takes the expressions, and has a result where stock SpEL has one. */
    private boolean suits(CorpusExpression condition, CorpusExpression value, CorpusRecords records) {
        Place pipeline = PipelinePlace.all(random, records).getFirst();
        try {
            return Found.expected(condition, records.values(), true).equals(pipeline.matching(condition.text()))
                    && Found.expected(value, records.values(), false).equals(pipeline.values(value.text()));
        } catch (Refusal refusal) {
            return false;
        }
    }

    private void run(String config, CorpusForm form) throws IOException {
        Files.writeString(folder.resolve("corpus.yml"), form.text());
        Path file = Files.writeString(folder.resolve("config.yml"), config);
        StringWriter out = new StringWriter();
        int code = new CommandLine(new TestCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(out))
                .execute(file.toString());
        assertThat(out.toString().lines().findFirst())
                .as(out + form.text() + config)
                .contains("Pipeline p: " + form.records().size() + " passed, 0 failed");
        assertThat(code).isZero();
    }

    private String rules(String condition, String value) {
        return """
                millrace:
                  schemas: FOLDER
                  regions: { r: { layout: blocks } }
                  pipelines:
                    p:
                      feed: { file: none.bin }
                      schema: corpus
                      steps:
                        - filter: CONDITION
                        - set: { v: VALUE }
                        - to: r
                      tests:
                """.replace("FOLDER", folder.toString())
                .replace("CONDITION", quoted(condition))
                .replace("VALUE", quoted(value));
    }

    private String config(CorpusExpression condition, CorpusExpression value, CorpusRecords records, CorpusForm form) {
        StringBuilder config = new StringBuilder(rules(condition.text(), value.text()));
        List<String> json = new Conversion(records.fixed(), RecordFormat.JSON)
                .asText()
                .lines()
                .toList();
        for (int i = 0; i < RECORDS; i++) {
            Map<String, @Nullable Object> record = records.values().get(i);
            config.append("        - ")
                    .append(
                            switch (form.hasText() ? random.nextInt(record.containsValue("") ? 2 : 3) : 0) {
                                case 0 ->
                                    "hex: "
                                            + quoted(HexFormat.of()
                                                    .formatHex(form.records().get(i)));
                                case 1 -> "json: " + quoted(json.get(i));
                                default -> values(records, i);
                            })
                    .append("\n          expect: ")
                    .append(expectation(condition, value, record))
                    .append('\n');
        }
        return config.toString();
    }

    /** The values of a record without empty texts, which would be absent. */
    private static String values(CorpusRecords records, int i) {
        RecordCodec codec = RecordCodec.of(records.schema());
        byte[] row = records.fixed().records().get(i);
        Map<String, @Nullable Object> values = records.values().get(i);
        return records.schema().fields().stream()
                .filter(field -> values.get(field.name()) != null)
                .map(field ->
                        field.name() + ": " + quoted(codec.codec(field.name()).text(row, 0)))
                .collect(Collectors.joining(", ", "record: { ", " }"));
    }

    private static String expectation(
            CorpusExpression condition, CorpusExpression value, Map<String, @Nullable Object> record) {
        try {
            if (!Boolean.TRUE.equals(condition.value(record))) {
                return "{ dropped: true }";
            }
            Object result = value.value(record);
            String text = result instanceof BigDecimal number ? number.toPlainString() : String.valueOf(result);
            return "{ to: r, fields: { v: " + (result == null ? "" : quoted(text)) + " } }";
        } catch (RuntimeException noResult) {
            return "{ rejected: expression }";
        }
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
