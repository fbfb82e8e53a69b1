package io.millrace.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.millrace.codec.ContentException;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.file.ContentCheck;
import io.millrace.codec.tagged.TaggedFinder;
import io.millrace.codec.text.CsvException;
import io.millrace.codec.text.csv.CsvReading;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.error.ExpressionException;
import io.millrace.feed.generator.RecordGenerator;
import io.millrace.feed.pcap.CaptureInputs;
import io.millrace.feed.radius.AddressRange;
import io.millrace.feed.radius.DatagramInputs;
import io.millrace.feed.tcp.FrameInputs;
import io.millrace.regex.PatternException;
import io.millrace.regex.TextPattern;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaException;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.StoredInputs;
import io.millrace.store.catalog.DefinitionText;
import io.millrace.store.error.StoreException;
import io.millrace.store.reject.Reject;
import io.millrace.store.write.Commit;
import io.millrace.table.TableDefinition;
import io.millrace.table.TableException;
import io.millrace.table.TableLoader;
import io.millrace.web.answer.QueryInputs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every parser of foreign bytes under inputs that were made from valid ones: each input has a result or is refused by
 * the exception that the parser names, and allocates no more than a multiple of its length.
 *
 * <p>{@code -Dmillrace.fuzz.inputs=100000000} tries so many, and then also bounds the CPU time of each;
 * {@code -Dmillrace.fuzz.seed} tries others. Prints the inputs of each parser and their rate.
 */
class MalformedInputTest {

    private static final long INPUTS = Long.getLong("millrace.fuzz.inputs", 100_000);
    private static final boolean LONG_RUN = System.getProperty("millrace.fuzz.inputs") != null;
    private static final long SEED = Long.getLong("millrace.fuzz.seed", 20261123);
    private static final long MAX_CPU_NANOS = 5_000_000_000L;
    private static final Schema TRADE = Schemas.builtIn().get("trade");
    private static final Schema ACCOUNTING = Schemas.builtIn().get("radius-accounting");
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir
    Path folder;

    private final Map<String, String> findings = new TreeMap<>();
    private List<Parser> parsers = List.of();

    /** Reads an input, or throws. */
    @FunctionalInterface
    private interface Parse {
        void parse(byte[] input) throws Exception;
    }

    /**
     * A parser.
     *
     * @param share of the inputs, as cheap parsers take more of them
     * @param baseBytes and
     * @param bytesPerByte bound what an input may allocate
     * @param refusal what it throws for malformed input; {@link Void} for nothing
     */
    private record Parser(
            String name,
            int share,
            long baseBytes,
            int bytesPerByte,
            List<byte[]> seeds,
            Class<?> refusal,
            Parse parse) {}

    @BeforeEach
    void listParsers() throws IOException {
        byte[] records = new byte[20 * TRADE.recordLength()];
        RecordGenerator.of(TRADE, 1).fill(records, 0, 20);
        List<byte[]> csv = texts(
                "id,name,limit,since\n1,Paris,10.5,2026-01-01\n-7,\"Lo\"\"ndon\",0,\n", "id;x\n1;\n2;3\n", "id\n9\n");
        List<byte[]> json =
                texts("{\"id\":7,\"name\":\"Paris\",\"limit\":10.5}\n\n{\"id\":-3,\"open\":true,\"x\":null}\n");
        TaggedFinder finder = TaggedFinder.of(ACCOUNTING);
        byte[] row = new byte[ACCOUNTING.recordLength()];
        RecordCodec codec = RecordCodec.of(TRADE);
        ExpressionCompiler expressions = new ExpressionCompiler(TRADE);
        parsers = List.of(
                new Parser(
                        "schema",
                        10,
                        8 << 20,
                        2000,
                        schemas(),
                        SchemaException.class,
                        input -> SchemaReader.read("x.yml", input)),
                new Parser(
                        "condition",
                        10,
                        16 << 20,
                        20_000,
                        conditions(),
                        ExpressionException.class,
                        input -> expressions.filter(text(input))),
                new Parser(
                        "value",
                        10,
                        16 << 20,
                        20_000,
                        values(),
                        ExpressionException.class,
                        input -> expressions.orderKeys(text(input))),
                new Parser(
                        "regular expression",
                        2,
                        64 << 20,
                        20_000,
                        patterns(),
                        PatternException.class,
                        input -> TextPattern.of(text(input), StandardCharsets.UTF_8)),
                new Parser("table CSV", 1, 8 << 20, 2000, csv, TableException.class, table(".csv", null)),
                new Parser("table JSON lines", 1, 8 << 20, 2000, json, TableException.class, table(".jsonl", null)),
                new Parser(
                        "table records",
                        1,
                        8 << 20,
                        2000,
                        List.of(records),
                        TableException.class,
                        table(".bin", TRADE)),
                new Parser(
                        "table file",
                        1,
                        8 << 20,
                        2000,
                        List.of(packed(csv.getFirst())),
                        TableException.class,
                        table(".table", null)),
                new Parser(
                        "CSV records",
                        40,
                        1 << 20,
                        1000,
                        csvRecords(codec, records),
                        CsvException.class,
                        input -> new CsvReading(TRADE)
                                .read(new ByteArrayInputStream(input), (_, _, _, _) -> {}, _ -> {})),
                new Parser(
                        "file content",
                        200,
                        1 << 20,
                        100,
                        List.of(records, csv.getFirst()),
                        ContentException.class,
                        input -> ContentCheck.requireRecords("x.bin", input, TRADE)),
                new Parser(
                        "block",
                        5,
                        4 << 20,
                        100,
                        StoredInputs.blocks(),
                        StoreException.class,
                        StoredInputs::parseBlock),
                new Parser(
                        "reject",
                        800,
                        1 << 20,
                        10,
                        rejects(),
                        StoreException.class,
                        input -> Reject.decode(input, 0, input.length)),
                new Parser(
                        "commit",
                        400,
                        1 << 20,
                        100,
                        commits(),
                        StoreException.class,
                        input -> Commit.parse(text(input))),
                new Parser("definition", 80, 1 << 20, 500, definitions(), IllegalArgumentException.class, input -> {
                    DefinitionText.read(text(input));
                    DefinitionText.readEntries("[" + text(input) + "]");
                }),
                new Parser(
                        "key",
                        400,
                        1 << 20,
                        100,
                        texts("internet|0A2B", "a\\|b|\\\\"),
                        RuntimeException.class,
                        StoredInputs::parseKey),
                new Parser("capture", 3, 4 << 20, 1000, CaptureInputs.seeds(), Void.class, CaptureInputs::parse),
                new Parser(
                        "RADIUS datagram",
                        400,
                        4 << 20,
                        100,
                        DatagramInputs.seeds(),
                        Void.class,
                        DatagramInputs::parse),
                new Parser(
                        "RADIUS attributes",
                        1200,
                        1 << 20,
                        10,
                        DatagramInputs.seeds(),
                        Void.class,
                        input -> finder.find(input, 0, input.length, row, 0)),
                new Parser(
                        "address",
                        400,
                        1 << 20,
                        100,
                        texts("10.0.0.0/8", "2001:db8::/32", "::ffff:1.2.3.4"),
                        IllegalArgumentException.class,
                        input -> AddressRange.parse(text(input))),
                new Parser("TCP frames", 20, 16 << 20, 1000, frames(records), Void.class, FrameInputs::parse),
                new Parser("query parameters", 30, 4 << 20, 2000, parameters(), Void.class, QueryInputs::parse));
    }

    @Test
    void shouldReadOrRefuseAnyInput() throws IOException {
        long shares = parsers.stream().mapToLong(Parser::share).sum();
        for (Parser parser : parsers) {
            long inputs = Math.max(100, INPUTS * parser.share / shares);
            long started = System.nanoTime();
            long most = run(parser, inputs);
            long nanos = Math.max(1, System.nanoTime() - started);
            System.out.printf(
                    "%-20s inputs=%d perSecond=%d maxAllocatedBytes=%d%n",
                    parser.name, inputs, inputs * 1_000_000_000L / nanos, most);
        }
        assertThat(findings.values()).isEmpty();
    }

    /** Returns the most bytes that an input allocated. */
    private long run(Parser parser, long inputs) {
        Mutations mutations = new Mutations(SEED, parser.seeds);
        long most = 0;
        for (long i = 0; i < inputs; i++) {
            byte[] input = mutations.next();
            byte[] given = input.clone();
            long cpu = LONG_RUN ? THREADS.getCurrentThreadCpuTime() : 0;
            long allocated = THREADS.getCurrentThreadAllocatedBytes();
            try {
                parser.parse.parse(given);
            } catch (Throwable e) { // Errors included: a stack overflow is what this looks for.
                if (!parser.refusal.isInstance(e) || isMistake(e)) {
                    found(parser, e.toString() + " at " + place(e), input);
                }
            }
            allocated = THREADS.getCurrentThreadAllocatedBytes() - allocated;
            most = Math.max(most, allocated);
            long bound = parser.baseBytes + (long) parser.bytesPerByte * input.length;
            // Twice, since the JDK loads the names of all time zones at the first format that needs one: 68 MB.
            if (allocated > bound && allocatedAgain(parser, input) > bound) {
                found(parser, "allocates too much: " + allocated, input);
            }
            if (LONG_RUN && THREADS.getCurrentThreadCpuTime() - cpu > MAX_CPU_NANOS) {
                found(parser, "takes too long", input);
            }
        }
        return most;
    }

    private static long allocatedAgain(Parser parser, byte[] input) {
        long allocated = THREADS.getCurrentThreadAllocatedBytes();
        try {
            parser.parse.parse(input.clone());
        } catch (Throwable e) { // The first time has reported what it throws.
            if (e instanceof OutOfMemoryError) {
                return Long.MAX_VALUE;
            }
        }
        return THREADS.getCurrentThreadAllocatedBytes() - allocated;
    }

    /** Whether an exception that extends an allowed one is a mistake of the parser nonetheless. */
    private static boolean isMistake(Throwable e) {
        return e instanceof NullPointerException
                || e instanceof IndexOutOfBoundsException
                || e instanceof NegativeArraySizeException
                || e instanceof ClassCastException
                || e instanceof ArithmeticException;
    }

    private static String place(Throwable e) {
        return Arrays.stream(e.getStackTrace())
                .filter(frame -> frame.getClassName().startsWith("io.millrace."))
                .findFirst()
                .map(StackTraceElement::toString)
                .orElse("?");
    }

    private void found(Parser parser, String what, byte[] input) {
        String kind = parser.name + " " + what.replaceAll("[^A-Za-z.]+", " ");
        String shown = text(Arrays.copyOf(input, Math.min(200, input.length)));
        String bytes = HexFormat.of().formatHex(input, 0, Math.min(4000, input.length));
        findings.putIfAbsent(
                kind.substring(0, Math.min(60, kind.length())),
                parser.name + ": " + what + " for " + input.length + " bytes '" + shown + "' " + bytes);
    }

    private Parse table(String ending, @Nullable Schema schema) {
        Path file = folder.resolve("input" + ending);
        return input -> {
            Files.write(file, input);
            TableLoader.load(new TableDefinition("t", file.toString(), "id", schema, null));
        };
    }

    private byte[] packed(byte[] csv) throws IOException {
        Path file = Files.write(folder.resolve("built.csv"), csv);
        Path built = folder.resolve("built.table");
        TableLoader.load(new TableDefinition("t", file.toString(), "id", null, built));
        return Files.readAllBytes(built);
    }

    private static List<byte[]> schemas() throws IOException {
        List<byte[]> schemas = new ArrayList<>();
        for (String name : List.of("trade", "order", "radius-accounting", "reject")) {
            try (InputStream in =
                    Objects.requireNonNull(Schemas.class.getResourceAsStream("/schemas/" + name + ".yml"))) {
                schemas.add(in.readAllBytes());
            }
        }
        return schemas;
    }

    private static List<byte[]> conditions() {
        return texts(
                "currency1 != 'JPY' and amount1 > 1000000",
                "{'USD', 'EUR'}.contains(currency2) or id % 100 == 7 && !(tradeDate < '2014-12-01')",
                "(amount1 * exchangeRate > 7 ? id : -id) / 3 >= 2.5",
                "buySell matches '(Bu|Sel)[a-z]{1,3}' and currency1.name.substring(0, 1) == 'G'");
    }

    private static List<byte[]> values() {
        return texts("amount1 * exchangeRate - id % 7", "currency1", "id > 3 ? amount1 : amount2", "tradeDate");
    }

    private static List<byte[]> patterns() {
        return texts(
                "(a|b)*c{2,5}[^x-z&&[a-w]]?",
                "^\\d{3}-\\p{Lu}+(?:\\.\\w+)*$",
                "(?i)gbp|usd|eur",
                "\\Qa.b\\E\\x41\\u00e9[\\s\\S]+");
    }

    private static List<byte[]> csvRecords(RecordCodec codec, byte[] records) {
        StringBuilder text = new StringBuilder(String.join(
                ",", codec.codecs().stream().map(c -> c.field().name()).toList()));
        for (int i = 0; i < 3; i++) {
            text.append('\n')
                    .append(String.join(
                            ",",
                            codec.decode(records, i * TRADE.recordLength()).values().stream()
                                    .map(String::valueOf)
                                    .toList()));
        }
        return texts(text.toString());
    }

    private static List<byte[]> rejects() {
        byte[] reject = new byte[40];
        reject[13] = 1;
        return List.of(reject, new byte[13], new byte[16]);
    }

    private static List<byte[]> commits() {
        return texts(
                new Commit(39_000, "0123abcd", 3, 78, "file:trades.bin", true, 39_000, Map.of("buys", 7L, "sells", 9L))
                        .text());
    }

    private static List<byte[]> definitions() {
        return texts("{\"name\":\"buys\",\"open\":true,\"values\":3,\"definition\":{\"version\":1,\"kind\":\"blocks\","
                + "\"schema\":\"trade\",\"properties\":{\"key\":\"id\",\"buckets\":\"16\"}}}");
    }

    private static List<byte[]> frames(byte[] records) {
        byte[] prefixed = new byte[100];
        prefixed[1] = 40;
        prefixed[43] = 30;
        return List.of(prefixed, records, "a\nbc\r\n\r\nd".getBytes(StandardCharsets.US_ASCII));
    }

    private static List<byte[]> parameters() {
        return texts("10s", "id, amount1 desc, max(id, 2)", "PT1M", "10000", "text/csv;q=0.5, application/json");
    }

    private static List<byte[]> texts(String... texts) {
        return Arrays.stream(texts)
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
