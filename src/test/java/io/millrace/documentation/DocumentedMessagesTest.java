package io.millrace.documentation;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.Millrace;
import io.millrace.application.MillraceApplication;
import io.millrace.background.FailureCode;
import io.millrace.cli.check.CheckCommand;
import io.millrace.cli.convert.ConvertCommand;
import io.millrace.cli.error.CommandErrorCode;
import io.millrace.codec.RejectReason;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import io.millrace.pipeline.Pipelines;
import io.millrace.schema.ProblemCode;
import io.millrace.schema.yaml.SchemaException;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.Rejects;
import io.millrace.store.Store;
import io.millrace.store.reject.Reject;
import io.millrace.web.request.ApiErrorCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpStatus;
import picocli.CommandLine;

/** Every message that {@code docs/reference/messages.md} shows for bad input really comes, in these words. */
class DocumentedMessagesTest {

    private static final Page MESSAGES = Page.read(Path.of("docs/reference/messages.md"));

    /** The errors of the framework that a client meets most often; others have the name of their status too. */
    private static final List<HttpStatus> OF_THE_FRAMEWORK = List.of(
            HttpStatus.NOT_FOUND,
            HttpStatus.METHOD_NOT_ALLOWED,
            HttpStatus.REQUEST_TIMEOUT,
            HttpStatus.UNSUPPORTED_MEDIA_TYPE);

    @TempDir
    Path folder;

    /** Tells all rows that are wrong, not just the first. */
    private final SoftAssertions rowsOf = new SoftAssertions();

    @AfterEach
    void report() {
        rowsOf.assertAll();
    }

    @Test
    void shouldShowWhatConvertSaysOfAValue() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("examples/trades.csv"));
        List<String> columns = List.of(lines.getFirst().split(",", -1));
        for (List<String> row : MESSAGES.table("values")) {
            String[] cells = lines.get(1).split(",", -1);
            cells[columns.indexOf(row.get(0))] = row.get(1);
            rowsOf.assertThat(convert(lines.getFirst(), String.join(",", cells)))
                    .as(row.toString())
                    .startsWith(row.get(2) + System.lineSeparator());
        }
    }

    @Test
    void shouldShowWhatConvertSaysOfALine() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("examples/trades.csv"));
        for (List<String> row : MESSAGES.table("lines")) {
            assertThat(lines.getFirst() + "\n" + lines.get(1)).contains(row.get(0));
            String[] changed = (lines.getFirst() + "\n" + lines.get(1))
                    .replace(row.get(0), row.get(1))
                    .split("\n", -1);
            rowsOf.assertThat(convert(changed).lines()).as(row.toString()).contains(row.get(2));
        }
    }

    @Test
    void shouldShowWhatConvertReportsOfOtherContent() throws IOException {
        byte[] csv = Files.readAllBytes(Path.of("examples/trades.csv"));
        byte[] record = firstTrade();
        for (List<String> row : MESSAGES.table("content")) {
            byte[] content = switch (row.get(1)) {
                case "gzip" -> gzip(csv);
                case "CSV" -> csv;
                case "JSON" -> "{\"id\": 1, \"buySell\": \"Buy\"}\n".getBytes(UTF_8);
                case "records" -> record;
                case "a JSON array" -> "[\n  { \"id\": 1 }\n]\n".getBytes(UTF_8);
                case "JSON over several lines" -> "{\n  \"id\": 1\n}\n".getBytes(UTF_8);
                case "UTF-16" -> new String(csv, UTF_8).getBytes(UTF_16);
                default -> throw new AssertionError(row);
            };
            Path in = Files.write(folder.resolve(row.get(0)), content);
            Path out = folder.resolve(row.get(0).equals("in.bin") ? "out.csv" : "out.bin");
            String message =
                    run(new ConvertCommand(), "--schema", "trade", in, out).replace(folder + "/", "");
            rowsOf.assertThat(message).as(row.toString()).isEqualTo(row.get(2) + System.lineSeparator());
            rowsOf.assertThat(out).doesNotExist();
        }
    }

    private static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(content);
        }
        return bytes.toByteArray();
    }

    @Test
    void shouldShowWhatIsSaidOfASchema() {
        for (List<String> row : MESSAGES.table("schemas")) {
            String yaml = "schema: t\nfields:\n" + "- " + row.get(0).replace(" ; ", "\n- ") + "\n";
            rowsOf.assertThatExceptionOfType(SchemaException.class)
                    .as(row.toString())
                    .isThrownBy(() -> SchemaReader.read("t.yml", yaml.getBytes(UTF_8)))
                    .withMessageContaining(row.get(1));
        }
    }

    @Test
    void shouldShowEveryCodeOfConfigurationsAndSchemas() {
        assertThat(MESSAGES.table("problems"))
                .extracting(row -> row.getFirst())
                .containsExactly(Arrays.stream(ProblemCode.values())
                        .map(ProblemCode::code)
                        .toArray(String[]::new));
    }

    @Test
    void shouldShowEveryCodeOfFailures() {
        assertThat(MESSAGES.table("failures"))
                .extracting(row -> row.getFirst())
                .containsExactly(Arrays.stream(FailureCode.values())
                        .map(FailureCode::code)
                        .toArray(String[]::new));
    }

    @Test
    void shouldShowEveryCodeOfCommands() {
        assertThat(MESSAGES.table("command codes"))
                .extracting(row -> row.getFirst())
                .containsExactly(Arrays.stream(CommandErrorCode.values())
                        .map(CommandErrorCode::code)
                        .toArray(String[]::new));
    }

    /** A message has an ellipsis in the place of what depends on the machine. */
    @Test
    void shouldShowWhatCommandsReport() {
        for (List<String> row : MESSAGES.table("commands")) {
            String[] message = row.get(1).split("…", -1);
            rowsOf.assertThat(run(new Millrace(), (Object[]) row.get(0).split(" ", -1)))
                    .as(row.toString())
                    .startsWith(message[0])
                    .endsWith(message[message.length - 1] + System.lineSeparator());
        }
    }

    @Test
    void shouldShowEveryCodeOfExpressions() {
        assertThat(MESSAGES.table("expression codes"))
                .extracting(row -> row.getFirst())
                .containsExactly(
                        Arrays.stream(ErrorCode.values()).map(ErrorCode::code).toArray(String[]::new));
    }

    @Test
    void shouldShowEveryCodeOfErrorsOverHttp() {
        Set<String> codes = Stream.concat(
                        Arrays.stream(ApiErrorCode.values()).map(code -> code.status() + " " + code.code()),
                        OF_THE_FRAMEWORK.stream()
                                .map(status -> status.value() + " "
                                        + status.name().toLowerCase(Locale.ROOT).replace('_', '-')))
                .collect(Collectors.toSet());
        assertThat(codesOverHttp(MESSAGES, 1, 0)).isEqualTo(codes);
        assertThat(codesOverHttp(Page.read(Path.of("docs/reference/http.md")), 0, 1))
                .isEqualTo(codes);
    }

    /** The codes of a page's table, each with its status; a row has several codes, and one status or as many. */
    private static Set<String> codesOverHttp(Page page, int statusColumn, int codeColumn) {
        return page.table("error codes").stream()
                .filter(row -> !row.get(codeColumn).contains(ErrorCode.SYNTAX.code()))
                .flatMap(row -> {
                    List<String> statuses = List.of(row.get(statusColumn).split(", ", -1));
                    List<String> codes = List.of(row.get(codeColumn).split(", ", -1));
                    return IntStream.range(0, codes.size())
                            .mapToObj(i -> statuses.get(Math.min(i, statuses.size() - 1)) + " " + codes.get(i));
                })
                .collect(Collectors.toSet());
    }

    @Test
    void shouldShowWhatIsSaidOfAnExpression() {
        ExpressionCompiler compiler = new ExpressionCompiler(Schemas.builtIn().get("trade"));
        for (List<String> row : MESSAGES.table("expressions")) {
            Throwable refused = Assertions.catchThrowable(() -> compiler.filter(row.getFirst()));
            rowsOf.assertThat(refused).isInstanceOf(ExpressionException.class);
            String message = Page.flat(String.valueOf(refused.getMessage()));
            rowsOf.assertThat(message.replace(" " + row.getFirst() + " ^", ""))
                    .isEqualTo(Page.flat(row.get(1) + " " + row.get(2)));
        }
    }

    @Test
    void shouldShowWhatIsSaidOfAConfiguration() throws IOException {
        String base = MESSAGES.yaml().stream()
                .filter(yaml -> yaml.startsWith("# base"))
                .findFirst()
                .orElseThrow();
        Path file = Files.write(folder.resolve("trades.bin"), new byte[39]);
        for (List<String> row : MESSAGES.table("configuration")) {
            assertThat(base).contains(row.get(0));
            String yaml = base.replace(row.get(0), row.get(1))
                    .replace("file: trades.bin", "file: " + file)
                    .replace("file: reference", "file: examples/reference");
            Files.writeString(folder.resolve("config.yml"), yaml);
            String message = Page.flat(run(new CheckCommand(), folder.resolve("config.yml")));
            rowsOf.assertThat(message).as(row.toString()).contains(row.get(2));
        }
    }

    @Test
    void shouldShowWhyRecordsAreRejected() throws IOException {
        List<List<String>> rows = MESSAGES.table("rejects");
        byte[] record = firstTrade();
        List<String> settings = new ArrayList<>(List.of(
                "--server.port=0",
                "--millrace.data=" + folder.resolve("data"),
                "--millrace.regions.kept.layout=blocks",
                "--millrace.tables.desks.file=examples/reference/desks.csv",
                "--millrace.tables.desks.key=id"));
        for (int i = 0; i < rows.size(); i++) {
            Path file = Files.write(
                    folder.resolve(i + ".bin"), changed(record, rows.get(i).get(0)));
            settings.add("--millrace.pipelines.p" + i + ".feed.file=" + file);
            settings.add("--millrace.pipelines.p" + i + ".schema=trade");
            List<String> steps = new ArrayList<>(List.of(rows.get(i).get(1).split(" ; ", -1)));
            steps.removeIf(String::isEmpty);
            steps.add("to=kept");
            for (String step : steps) {
                String at = "--millrace.pipelines.p" + i + ".steps[" + number(settings, i) + "].";
                Arrays.stream(step.split(", ", -1)).forEach(setting -> settings.add(at + setting));
            }
        }
        // Pipelines that add fields keep records of another schema.
        settings.add("--millrace.regions.kept.keep-added=false");
        try (ConfigurableApplicationContext context =
                new SpringApplicationBuilder(MillraceApplication.class).run(settings.toArray(String[]::new))) {
            await().until(() -> context.getBean(Pipelines.class).ended());
            for (int i = 0; i < rows.size(); i++) {
                List<Reject> rejects = Rejects.of(context.getBean(Store.class), "p" + i + "-rejected");
                rowsOf.assertThat(rejects).as(rows.get(i).toString()).hasSize(1);
                for (Reject reject : rejects) {
                    rowsOf.assertThat(reject.kind().tag()).isEqualTo(rows.get(i).get(2));
                    rowsOf.assertThat(reject.detail()).isEqualTo(rows.get(i).get(3));
                }
            }
        }
    }

    private static long number(List<String> settings, int pipeline) {
        String start = "--millrace.pipelines.p" + pipeline + ".steps[";
        return settings.stream()
                .filter(setting -> setting.startsWith(start))
                .map(setting -> setting.substring(0, setting.indexOf(']')))
                .distinct()
                .count();
    }

    private byte[] firstTrade() throws IOException {
        Path bin = folder.resolve("trades.bin");
        run(new ConvertCommand(), "--schema", "trade", "examples/trades.csv", bin);
        return Arrays.copyOf(Files.readAllBytes(bin), 39);
    }

    /** The record with a byte set, such as {@code byte 11 = 63}, or cut, such as {@code 5 bytes}. */
    private static byte[] changed(byte[] record, String change) {
        String[] words = change.split(" ", -1);
        if (change.startsWith("byte ")) {
            byte[] changed = record.clone();
            changed[Integer.parseInt(words[1])] = HexFormat.of().parseHex(words[3])[0];
            return changed;
        }
        return change.endsWith("bytes") ? Arrays.copyOf(record, Integer.parseInt(words[0])) : record;
    }

    private String convert(String... lines) throws IOException {
        Path csv = Files.write(folder.resolve("in.csv"), List.of(lines));
        return run(new ConvertCommand(), "--schema", "trade", csv, folder.resolve("out.bin"))
                .replace(csv + ":", "in.csv:");
    }

    private static String run(Object command, Object... arguments) {
        StringWriter err = new StringWriter();
        new CommandLine(command)
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err, true))
                .execute(Arrays.stream(arguments).map(String::valueOf).toArray(String[]::new));
        return err.toString();
    }

    /** Kinds that no row shows would be missed by a reader. */
    @Test
    void shouldShowEveryKindOfReject() {
        Map<String, Long> shown = MESSAGES.table("rejects").stream()
                .collect(Collectors.groupingBy(row -> row.get(2), Collectors.counting()));
        assertThat(shown.keySet())
                .containsExactlyInAnyOrder(Arrays.stream(RejectReason.Kind.values())
                        .map(RejectReason.Kind::tag)
                        .toArray(String[]::new));
    }
}
