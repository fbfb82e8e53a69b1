package io.millrace.config.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.text.JsonText;
import io.millrace.codec.text.LineSplitter;
import io.millrace.codec.text.RecordBuffer;
import io.millrace.codec.text.RecordText;
import io.millrace.codec.text.StreamWindow;
import io.millrace.codec.text.csv.CsvText;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.table.PackedTable;
import io.millrace.table.TableDefinition;
import io.millrace.table.TableException;
import io.millrace.table.TableLoader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** The grammar of each type's text, from both sides, in every reader of texts. */
class ValueTextTest {

    private static final String REFUSED = "refused";
    private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]+");
    private static final Pattern NUMBER = Pattern.compile("[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?");
    private static final Pattern JSON_NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
    private static final Pattern INSTANT = Pattern.compile(
            "[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{0,9})?([Zz]|[+-][0-9]{2}:[0-9]{2}(:[0-9]{2})?)");

    private static final List<String> NUMBER_PIECES = List.of(
            "0",
            "1",
            "5",
            "9",
            "00",
            "127",
            "128",
            "255",
            "256",
            "65535",
            "9223372036854775807",
            "18446744073709551616",
            "16777217",
            "9007199254740993",
            "26.3",
            "0.1",
            ".",
            "-",
            "+",
            "e",
            "E",
            "e-",
            "e5",
            "e-400",
            "E400",
            "e-46",
            "e39",
            "e99999999999",
            " ",
            "_",
            ",",
            "d",
            "f",
            "L",
            "0x",
            "p3",
            "NaN",
            "Infinity",
            "inf",
            "٣",
            "３",
            "−");
    private static final List<String> TIME_PIECES = List.of(
            "2014-07-21",
            "2016-12-31",
            "2015-02-29",
            "2014-7-1",
            "T",
            "t",
            " ",
            "09:30:00",
            "23:59:59",
            "23:59:60",
            "24:00:00",
            "09:30",
            ".5",
            ".000",
            ".123456789",
            ".1234567890",
            ",5",
            "Z",
            "z",
            "+01:00",
            "-00:30",
            "٢٠١٤-07-21",
            "");
    /** Any one of each list make an instant. */
    private static final List<List<String>> INSTANT_PARTS = List.of(
            List.of("2014-07-21", "2016-12-31", "2016-02-29", "1970-01-01", "1969-12-31"),
            List.of("T", "t"),
            List.of("09:30:00", "23:59:59", "00:00:00"),
            List.of("", ".", ".5", ".000", ".123456789"),
            List.of("Z", "z", "+01:00", "-00:30", "+00:00:01"));

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path folder;

    private static Schema schema(String attributes) {
        String yaml = "schema: t\nfields: [{ name: key, type: i64 }, { name: a, " + attributes + " }]";
        return SchemaReader.read("t.yml", yaml.getBytes(StandardCharsets.UTF_8));
    }

    private static Object codec(Schema schema, String text) {
        byte[] row = RecordCodec.of(schema).blank();
        FieldCodec codec = RecordCodec.of(schema).codec("a");
        try {
            codec.setText(row, 0, text);
            return shown(codec.value(row, 0));
        } catch (FieldValueException _) {
            return REFUSED;
        }
    }

    private static Object read(Schema schema, RecordText form, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        RecordBuffer records = new RecordBuffer(schema);
        try {
            LineSplitter lines = form.split(new StreamWindow(new ByteArrayInputStream(bytes)), true);
            form.readHead(lines);
            lines.next();
            List<String> reasons = form.read(lines.bytes(), lines.start(), lines.length(), records);
            return reasons.isEmpty() && records.length() > 0
                    ? shown(RecordCodec.of(schema).codec("a").value(records.bytes(), 0))
                    : REFUSED;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Object csv(Schema schema, String text) {
        return read(schema, new CsvText(schema), "key,a\n1,\"" + text.replace("\"", "\"\"") + "\"");
    }

    private static Object jsonText(Schema schema, String text) {
        return read(schema, new JsonText(schema), JsonMapper.shared().writeValueAsString(Map.of("key", 1, "a", text)));
    }

    private static Object jsonNumber(Schema schema, String text) {
        return read(schema, new JsonText(schema), "{\"key\":1,\"a\":" + text + "}");
    }

    private Object table(Schema schema, String ending, String content) {
        try {
            Path file = Files.writeString(folder.resolve("t" + ending), content);
            PackedTable table = TableLoader.load(new TableDefinition("t", file.toString(), "key", schema, null));
            byte[] row = new byte[table.schema().recordLength()];
            table.memory().asSlice(table.find(1), row.length).asByteBuffer().get(row);
            return shown(RecordCodec.of(table.schema()).codec("a").value(row, 0));
        } catch (TableException _) {
            return REFUSED;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The record of a test of rules, as the configuration has it: a mapping of names to texts. */
    private static Object testRecord(Schema schema, String text) {
        RuleTestRecord records = new RuleTestRecord(schema);
        var encoded = records.encode(new RuleTestRecord.Form(
                "record", JsonMapper.shared().writeValueAsString(Map.of("key", "1", "a", text))));
        return encoded.reasons().isEmpty()
                ? shown(RecordCodec.of(schema).codec("a").value(encoded.bytes(), 0))
                : REFUSED;
    }

    /** Values with an equality that is that of the stored bytes. */
    private static Object shown(@Nullable Object value) {
        return switch (value) {
            case null -> "absent";
            case Double real -> "f64 " + Long.toHexString(Double.doubleToLongBits(real));
            case Float real -> "f32 " + Integer.toHexString(Float.floatToIntBits(real));
            case byte[] bytes -> Arrays.toString(bytes);
            default -> value.toString();
        };
    }

    private void requireInAllReaders(String attributes, String text, Object expected) {
        Schema schema = schema(attributes);
        assertThat(codec(schema, text)).as("key or parameter '%s'", text).isEqualTo(expected);
        assertThat(csv(schema, text)).as("CSV '%s'", text).isEqualTo(expected);
        assertThat(jsonText(schema, text)).as("JSON string '%s'", text).isEqualTo(expected);
        assertThat(testRecord(schema, text)).as("record of a test '%s'", text).isEqualTo(expected);
        if (JSON_NUMBER.matcher(text).matches()) {
            assertThat(jsonNumber(schema, text)).as("JSON number %s", text).isEqualTo(expected);
        }
    }

    private void requireInTables(String attributes, String text, Object expected) {
        Schema schema = schema(attributes);
        assertThat(table(schema, ".csv", "key,a\n1,\"" + text + "\"\n"))
                .as("CSV table '%s'", text)
                .isEqualTo(expected);
        String json = JsonMapper.shared().writeValueAsString(Map.of("key", 1, "a", text));
        assertThat(table(schema, ".jsonl", json + "\n"))
                .as("JSON table '%s'", text)
                .isEqualTo(expected);
        if (JSON_NUMBER.matcher(text).matches()) {
            assertThat(table(schema, ".jsonl", "{\"key\":1,\"a\":" + text + "}\n"))
                    .as("number in a JSON table %s", text)
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            type: u8                          | 7                     | 7
            type: u8                          | +007                  | 7
            type: u8                          | -0                    | 0
            type: u64                         | -0                    | 0
            type: u64                         | 18446744073709551615  | 18446744073709551615
            type: i64                         | -9223372036854775808  | -9223372036854775808
            type: decimal, scale: 2           | .5                    | 0.50
            type: decimal, scale: 2           | 5.                    | 5.00
            type: decimal, scale: 2           | +1.5e1                | 15.00
            type: decimal, scale: 2           | 150000E-4             | 15.00
            type: decimal, scale: 2           | 1.50000               | 1.50
            type: decimal, scale: 2           | 0e99999999999         | 0.00
            type: decimal, scale: 2           | -0.000                | 0.00
            type: boolean                     | TRUE                  | true
            type: boolean                     | False                 | false
            type: date                        | 2016-02-29            | 2016-02-29
            type: date, format: dd/MM/yyyy    | 29/02/2016            | 2016-02-29
            type: instant, unit: ns           | 2014-07-21T09:30:00.123456789Z | 2014-07-21T09:30:00.123456789Z
            type: instant, unit: s            | 2014-07-21T09:30:00+01:30      | 2014-07-21T08:00:00Z
            type: instant, unit: s            | 2014-07-21T24:00:00Z  | 2014-07-22T00:00:00Z
            type: 'enum', values: ["NO", "1"] | NO                    | NO
            type: 'enum', values: ["NO", "1"] | 1                     | 1
            type: string, length: 8           | 1e-400                | 1e-400
            type: ipv4                        | 10.0.0.9              | 10.0.0.9
            type: ipv6                        | ::FFFF:10.0.0.9       | ::ffff:10.0.0.9
            type: bytes, length: 2            | 00fF                  | '[0, -1]'
            """)
    void shouldAcceptTheTextsOfAType(String attributes, String text, String value) {
        requireInAllReaders(attributes, text, value);
        requireInTables(attributes, text, value);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            type: f64 | 1e-400
            type: f64 | 2e-324
            type: f64 | -1e-400
            type: f64 | 1e400
            type: f64 | 1d
            type: f64 | 1f
            type: f64 | 0x1p3
            type: f64 | ' 1'
            type: f64 | '1 '
            type: f64 | nan
            type: f64 | +Infinity
            type: f64 | inf
            type: f64 | ١
            type: f64 | 9007199254740993
            type: f32 | 1e-46
            type: f32 | 1e39
            type: f32 | 16777217
            type: i64 | ١٢
            type: i64 | １
            type: i64 | 1.0
            type: i64 | 1e3
            type: i64 | 1_000
            type: i64 | 0x1F
            type: i64 | 9223372036854775808
            type: u64 | -1
            type: u8  | 256
            type: decimal, scale: 2 | ١٢.٥
            type: decimal, scale: 2 | 1.005
            type: decimal, scale: 2 | 1e-99999999999
            type: decimal, scale: 2 | 1e99999999999
            type: decimal, scale: 2 | '1,5'
            type: decimal, scale: 2 | .
            type: decimal, scale: 2 | 1e
            type: decimal, scale: 2 | NaN
            type: boolean | yes
            type: boolean | 1
            type: boolean | falſe
            type: date | 2015-02-29
            type: date | 2014-7-21
            type: date | ٢٠١٤-07-21
            type: date, format: dd/MM/yyyy | 2014-07-21
            type: instant, unit: s | 2016-12-31T23:59:60Z
            type: instant, unit: s | 2014-07-21T23:59:60Z
            type: instant, unit: s | 2014-07-21T09:30Z
            type: instant, unit: s | 2014-07-21T09:30:00
            type: instant, unit: s | 2014-07-21 09:30:00Z
            type: instant, unit: s | 2014-07-21T09:30:00.5Z
            type: instant, unit: ns | 2014-07-21T09:30:00.1234567890Z
            type: 'enum', values: ["NO", "1"] | 'no'
            type: 'enum', values: ["NO", "1"] | false
            type: string, length: 2 | abc
            type: ipv4 | 10.0.0.09
            type: ipv4 | ١.0.0.9
            type: ipv6 | fe80::1%eth0
            type: bytes, length: 2 | 00f
            type: bytes, length: 2 | 0x00
            type: bytes, length: 2 | ００ff
            """)
    void shouldRefuseTextsThatAreNotTheValue(String attributes, String text) {
        requireInAllReaders(attributes, text, REFUSED);
        requireInTables(attributes, text, REFUSED);
    }

    @Property(tries = 4000)
    void shouldReadNumbersByTheirGrammar(@ForAll Random random) {
        String text = join(NUMBER_PIECES, random, 5);
        requireInAllReaders("type: u8", text, whole(text, BigInteger.ZERO, BigInteger.valueOf(255)));
        requireInAllReaders(
                "type: u64",
                text,
                whole(text, BigInteger.ZERO, BigInteger.TWO.pow(64).subtract(BigInteger.ONE)));
        requireInAllReaders(
                "type: i64", text, whole(text, BigInteger.TWO.pow(63).negate(), BigInteger.valueOf(Long.MAX_VALUE)));
        requireInAllReaders("type: decimal, scale: 3, as: i32", text, decimal(text));
        requireInAllReaders("type: f64", text, real(text, true));
        requireInAllReaders("type: f32", text, real(text, false));
    }

    @Property(tries = 4000)
    void shouldReadTimesByTheirGrammar(@ForAll Random random) {
        String text = join(TIME_PIECES, random, 4);
        requireInAllReaders("type: date", text, date(text));
        requireInAllReaders("type: instant, unit: ns", text, instant(text));
    }

    @Property(tries = 4000)
    void shouldReadInstantsByTheirGrammar(@ForAll Random random) {
        List<String> parts = new ArrayList<>();
        INSTANT_PARTS.forEach(part -> parts.add(part.get(random.nextInt(part.size()))));
        String text = String.join("", parts);
        assertThat(instant(text)).as(text).isNotEqualTo(REFUSED);
        requireInAllReaders("type: instant, unit: ns", text, instant(text));
        parts.set(random.nextInt(parts.size()), TIME_PIECES.get(random.nextInt(TIME_PIECES.size())));
        String other = String.join("", parts);
        requireInAllReaders("type: instant, unit: ns", other, instant(other));
    }

    private static String join(List<String> pieces, Random random, int most) {
        List<String> parts = new ArrayList<>();
        int count = 1 + random.nextInt(most);
        for (int i = 0; i < count; i++) {
            parts.add(pieces.get(random.nextInt(pieces.size())));
        }
        String text = String.join("", parts);
        return text.isEmpty() ? "x" : text;
    }

    private static Object whole(String text, BigInteger low, BigInteger high) {
        if (!WHOLE.matcher(text).matches()) {
            return REFUSED;
        }
        BigInteger number = new BigInteger(text);
        return number.compareTo(low) >= 0 && number.compareTo(high) <= 0 ? number.toString() : REFUSED;
    }

    private static Object decimal(String text) {
        if (!NUMBER.matcher(text).matches() || text.length() > 100) {
            return REFUSED;
        }
        BigDecimal number = exact(text);
        if (number == null
                || number.stripTrailingZeros().scale() > 3
                || number.abs().compareTo(new BigDecimal("3e6")) > 0) {
            return REFUSED;
        }
        BigDecimal scaled = number.setScale(3);
        return scaled.unscaledValue().bitLength() < 32 ? scaled.toString() : REFUSED;
    }

    private static Object real(String text, boolean wide) {
        if (List.of("NaN", "Infinity", "-Infinity").contains(text)) {
            return shown(wide ? (Object) Double.valueOf(text) : Float.valueOf(text));
        }
        if (!NUMBER.matcher(text).matches()) {
            return REFUSED;
        }
        BigDecimal number = exact(text);
        if (number == null) {
            return REFUSED;
        }
        double nearest = wide ? number.doubleValue() : number.floatValue();
        boolean rounded = WHOLE.matcher(text).matches()
                && (Double.isInfinite(nearest) || new BigDecimal(nearest).compareTo(number) != 0);
        if (Double.isInfinite(nearest) || (nearest == 0 && number.signum() != 0) || rounded) {
            return REFUSED;
        }
        double signed = nearest == 0 && text.startsWith("-") ? -0.0 : nearest;
        return shown(wide ? (Object) signed : (Object) (float) signed);
    }

    /** The number of a text, zero for all zeros; null if it is too large or small for each type. */
    private static @Nullable BigDecimal exact(String text) {
        if (text.toLowerCase(Locale.ROOT).replaceAll("e.*", "").matches("[+\\-.0]*")) {
            return BigDecimal.ZERO;
        }
        String exponent = text.matches(".*[eE].*") ? text.replaceAll(".*[eE][+-]?", "") : "0";
        return new BigInteger(exponent).compareTo(BigInteger.valueOf(100_000)) > 0 ? null : new BigDecimal(text);
    }

    private static Object date(String text) {
        if (!DATE.matcher(text).matches()) {
            return REFUSED;
        }
        try {
            return LocalDate.parse(text).toString();
        } catch (DateTimeException _) {
            return REFUSED;
        }
    }

    private static Object instant(String text) {
        if (!INSTANT.matcher(text).matches() || text.contains(":60")) {
            return REFUSED;
        }
        try {
            boolean endOfDay = text.contains("24:00:00");
            String plain = text.toUpperCase(Locale.ROOT)
                    .replace("24:00:00", "00:00:00")
                    .replaceAll("\\.(?![0-9])", "");
            if (endOfDay && !plain.matches(".*00:00:00(\\.0+)?(Z|[+-].*)")) {
                return REFUSED;
            }
            Instant instant = OffsetDateTime.parse(plain).toInstant();
            return (endOfDay ? instant.plusSeconds(86_400) : instant).toString();
        } catch (DateTimeException _) {
            return REFUSED;
        }
    }
}
