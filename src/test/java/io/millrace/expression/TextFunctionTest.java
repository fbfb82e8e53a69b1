package io.millrace.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.lang.management.ManagementFactory;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the functions of texts give, beyond ASCII too, and where there is no result. */
class TextFunctionTest {

    private static final IntStorage U8 = IntStorage.of(1, false, ByteOrder.BIG_ENDIAN);

    private static final Schema SCHEMA = new Schema(
            "texts",
            130,
            List.of(
                    Field.of("n", new FieldType.IntegerType(U8), 0),
                    Field.of("code", new FieldType.EnumType(U8, Dictionary.of("Buy", "Sell", "")), 1),
                    text("ascii", 8, StandardCharsets.US_ASCII, ' ', 2),
                    text("latin", 8, StandardCharsets.ISO_8859_1, 0, 10),
                    text("utf", 10, StandardCharsets.UTF_8, ' ', 18),
                    text("accent", 10, StandardCharsets.UTF_8, ' ', 28),
                    text("inner", 10, StandardCharsets.UTF_8, ' ', 38),
                    text("empty", 10, StandardCharsets.UTF_8, ' ', 48),
                    text("maybe", 10, StandardCharsets.UTF_8, ' ', 58).asOptional(0),
                    text("last", 10, StandardCharsets.UTF_8, 0, 68),
                    text("small", 3, StandardCharsets.ISO_8859_1, ' ', 78),
                    text("target", 40, StandardCharsets.UTF_8, 0, 90)),
            List.of());

    private static Field text(String name, int width, Charset charset, int pad, int at) {
        return Field.of(name, new FieldType.StringType(width, charset, (byte) pad), at);
    }

    private static Records records() {
        Map<String, @Nullable Object> row = new HashMap<>();
        row.put("n", 2L);
        row.put("code", "Sell");
        row.put("ascii", "Hello W");
        row.put("latin", "Stra\u00DFe\u00FF");
        row.put("utf", "a\uD83D\uDE00\u00E9");
        row.put("accent", "e\u0301x");
        row.put("inner", " a b");
        row.put("empty", "");
        row.put("maybe", null);
        row.put("last", "\uE000");
        row.put("small", "abc");
        row.put("target", "");
        return new Records(SCHEMA).add(row);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "ascii.startsWith('Hel')|true",
                "ascii.startsWith('hel')|false",
                "ascii.startsWith('')|true",
                "ascii.startsWith('Hello W ')|false",
                "ascii.startsWith('Hello ')|true",
                "ascii.endsWith('W')|true",
                "ascii.endsWith(' ')|false",
                "ascii.endsWith('')|true",
                "empty.endsWith('')|true",
                "empty.startsWith('x')|false",
                "ascii.contains('lo W')|true",
                "ascii.contains('low')|false",
                "ascii.contains(inner.trim())|false",
                "inner.contains(' b')|true",
                "inner.length() == 4|true",
                "inner.trim() == 'a b'|true",
                "inner.trim().length() == 3|true",
                "ascii.indexOf('l') == 2|true",
                "ascii.indexOf('') == 0|true",
                "ascii.indexOf('x') == -1|true",
                "utf.length() == 4|true",
                "utf.indexOf('\u00E9') == 3|true",
                "utf.substring(3) == '\u00E9'|true",
                "utf.substring(1, 3) == '\uD83D\uDE00'|true",
                "utf.substring(4).empty|true",
                "accent.length() == 3|true",
                "accent.toUpperCase() == 'E\u0301X'|true",
                "accent.contains('\u0301')|true",
                "latin.length() == 7|true",
                "latin.contains('\u00DF')|true",
                "latin.toUpperCase() == 'STRASSE\u0178'|true",
                "latin.toUpperCase().toLowerCase() == 'strasse\u00FF'|true",
                "latin.toUpperCase().length() == 8|true",
                "latin.equalsIgnoreCase('STRA\u00DFE\u0178')|true",
                "latin == 'Stra\u00DFe\u00FF'|true",
                "utf.contains(latin.substring(6))|false",
                "ascii.toLowerCase() == 'hello w'|true",
                "ascii.toLowerCase().startsWith('hello')|true",
                "ascii.equalsIgnoreCase('HELLO w')|true",
                "ascii.equalsIgnoreCase('hello')|false",
                "ascii.substring(n) == 'llo W'|true",
                "ascii.substring(n, n + 2) == 'll'|true",
                "ascii.substring(n * 3 + 1).empty|true",
                "code.toUpperCase() == 'SELL'|true",
                "code.substring(1) == 'ell'|true",
                "ascii.contains(code.substring(1, 3).toLowerCase())|true",
                "code.length() == 4 and !code.empty|true",
                "ascii != code|true",
                "ascii < latin and latin > ascii and utf > latin|true",
                "utf < 'b' and utf >= 'a'|true",
                "'\uD83D\uDE00' < last and last > utf.substring(1)|true",
                "last between {utf.substring(1), '\uFFFD'}|true",
                "empty < ascii and maybe < empty and maybe <= maybe|true",
                "maybe == null and maybe != empty and empty == ''|true",
                "maybe?.length() == null|true",
                "(maybe?.toUpperCase() ?: 'none') == 'none'|true",
                "ascii.equals('Hello W') and !ascii.equals(maybe)|true",
                "ascii.equalsIgnoreCase(maybe)|false",
                "{'hello w', 'x', 'y', 'z', 'u'}.contains(ascii.toLowerCase())|true",
                "ascii matches '[A-Z][a-z]+ .'|true",
                "ascii matches '[A-Z][a-z]+'|false",
                "utf matches '..\u00E9'|true",
                "latin.toUpperCase() matches 'STRASSE.'|true",
                "code matches 'S.*'|true",
                "'x' matches 'x'|true",
                "(n > 1 ? latin : utf).contains('\u00DF')|true",
                "(n > 1 ? null : ascii)?.length() == null|true",
            })
    void shouldAnswerAsJavaDoes(String condition, String answer) {
        assertThat(records().kept(condition)).as(condition).hasSize(answer.equals("true") ? 1 : 0);
        assertThat(new StockSpel(condition).answer(records().decode(records().batch(), 0)))
                .as(condition)
                .isEqualTo(answer.equals("true"));
    }

    private static Optional<String> code(String condition) {
        try {
            new ExpressionCompiler(SCHEMA).filter(condition).loop();
            return Optional.empty();
        } catch (ExpressionException e) {
            return Optional.of(e.code().code());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "maybe.length() == 0",
                "maybe.isEmpty()",
                "maybe.startsWith('x')",
                "!maybe.contains('x')",
                "ascii.contains(maybe)",
                "maybe matches '.*'",
                "maybe?.substring(0).length() == 0",
                "ascii.substring(n * 4) == ''",
                "ascii.substring(n - 3) == ''",
                "ascii.substring(n, 1) == ''",
                "utf.substring(n + 3) == ''",
                "empty.substring(1).empty",
                "(n > 1 ? null : ascii).length() == 0",
            })
    void shouldRejectWhereJavaThrows(String condition) {
        assertThat(kind(condition)).isEqualTo(RejectReason.Kind.EXPRESSION);
        assertThat(new StockSpel(condition).answer(records().decode(records().batch(), 0)))
                .isNull();
    }

    private static RejectReason.@Nullable Kind kind(String condition) {
        Map<Integer, RejectReason> rejects = new TreeMap<>();
        records().kept(condition, rejects);
        return rejects.containsKey(0) ? Objects.requireNonNull(rejects.get(0)).kind() : null;
    }

    @Test
    void shouldRejectHalfOfASurrogatePair() {
        assertThat(kind("utf.substring(2) == ''")).isEqualTo(RejectReason.Kind.EXPRESSION);
        assertThat(kind("utf.substring(1, 2) == ''")).isEqualTo(RejectReason.Kind.EXPRESSION);
        assertThat(code("'\uD83D\uDE00'.substring(1) == utf")).contains(ErrorCode.BAD_CONSTANT.code());
    }

    @Test
    void shouldRejectBytesThatAreNoCharacters() {
        Map<Integer, RejectReason> rejects = new TreeMap<>();
        for (String condition : List.of(
                "utf.length() == 4",
                "utf.toUpperCase() == ''",
                "utf.substring(3) == ''",
                "ascii.toLowerCase() == ''")) {
            RecordBatch batch = records().batch();
            batch.bytes()[batch.offset(0) + 2] = (byte) 0xC3;
            batch.bytes()[batch.offset(0) + 19] = (byte) 0xC3;
            new ExpressionCompiler(SCHEMA)
                    .filter(condition)
                    .loop()
                    .apply(batch, (_, ordinal, reason) -> rejects.put(ordinal, reason));
            assertThat(Objects.requireNonNull(rejects.remove(0)).kind())
                    .as(condition)
                    .isEqualTo(RejectReason.Kind.INVALID_VALUE);
        }
    }

    @Test
    void shouldRefuseConstantsThatNoTextHasInIt() {
        assertThat(code("ascii.contains('\u00E9')")).contains(ErrorCode.BAD_CONSTANT.code());
        assertThat(code("ascii.contains('123456789')")).contains(ErrorCode.BAD_CONSTANT.code());
        assertThat(code("ascii.substring(2, 4) == '123'")).contains(ErrorCode.BAD_CONSTANT.code());
        assertThat(code("ascii.substring(9) == ''")).contains(ErrorCode.BAD_CONSTANT.code());
        assertThat(code("latin.toUpperCase() == '12345678901234567'")).contains(ErrorCode.BAD_CONSTANT.code());
        assertThat(code("latin.toUpperCase() == '1234567890123456'")).isEmpty();
        assertThat(code("ascii < '\u00E9'")).isEmpty();
    }

    /** The field after an assignment, or the kind of the reject. */
    private static @Nullable Object set(String target, String expression) {
        Records records = records();
        RecordBatch batch = records.batch();
        Map<Integer, RejectReason> rejects = new TreeMap<>();
        new ExpressionCompiler(SCHEMA)
                .setter(List.of(new Assignment(Objects.requireNonNull(SCHEMA.field(target)), expression)))
                .loop()
                .apply(batch, (_, ordinal, reason) -> rejects.put(ordinal, reason));
        return rejects.isEmpty()
                ? records.decode(batch, 0).get(target)
                : Objects.requireNonNull(rejects.get(0)).kind();
    }

    @Test
    void shouldSetComputedTexts() {
        assertThat(set("target", "latin")).isEqualTo("Stra\u00DFe\u00FF");
        assertThat(set("target", "latin.toUpperCase()")).isEqualTo("STRASSE\u0178");
        assertThat(set("target", "code")).isEqualTo("Sell");
        assertThat(set("target", "n > 1 ? code : ascii.trim()")).isEqualTo("Sell");
        assertThat(set("target", "maybe?.trim() ?: latin")).isEqualTo("Stra\u00DFe\u00FF");
        assertThat(set("ascii", "ascii.substring(1)")).isEqualTo("ello W");
        assertThat(set("ascii", "latin.substring(0, 4)")).isEqualTo("Stra");
        assertThat(set("small", "utf.substring(3)")).isEqualTo("\u00E9");
        assertThat(set("maybe", "maybe?.trim()")).isNull();
        assertThat(set("code", "'Buyer'.substring(0, 3)")).isEqualTo("Buy");
    }

    @Test
    void shouldRejectTextsThatTheirTargetCannotHold() {
        assertThat(set("small", "ascii")).isEqualTo(RejectReason.Kind.OUT_OF_RANGE);
        assertThat(set("small", "accent")).isEqualTo(RejectReason.Kind.OUT_OF_RANGE);
        assertThat(set("small", "inner.toUpperCase()")).isEqualTo(RejectReason.Kind.OUT_OF_RANGE);
        assertThat(set("small", "ascii.substring(4, 6)")).isEqualTo(RejectReason.Kind.OUT_OF_RANGE);
        assertThat(set("ascii", "latin")).isEqualTo(RejectReason.Kind.OUT_OF_RANGE);
        assertThat(set("target", "maybe")).isEqualTo(RejectReason.Kind.OUT_OF_RANGE);
        assertThat(set("target", "maybe.trim()")).isEqualTo(RejectReason.Kind.EXPRESSION);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ascii.startsWith('Hel') and ascii.endsWith('W') or latin.contains(inner.trim())",
                "ascii.toLowerCase().substring(n).startsWith('llo') and ascii < inner",
                "code.toLowerCase() == 'sell' and ascii.contains(code) or ascii.equalsIgnoreCase('hello W')",
                "(n > 1 ? code : ascii).trim().indexOf('l') == 2 and ascii matches '[A-Z].*'",
                "{'hello w', 'b', 'c'}.contains(ascii.toLowerCase()) and latin.length() > 3 and latin < inner",
                "latin.equals(utf) or small == latin or (maybe ?: ascii).length() > 3",
            })
    void shouldAllocateNothingForAscii(String condition) {
        Records records = new Records(SCHEMA);
        Map<String, @Nullable Object> row =
                new HashMap<>(records().decode(records().batch(), 0));
        row.put("latin", "Street");
        row.put("utf", "utf");
        row.put("accent", "accent");
        for (int i = 0; i < 1000; i++) {
            records.add(row);
        }
        RecordBatch batch = records.batch();
        BatchFilter filter = new ExpressionCompiler(SCHEMA).filter(condition).loop();
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = 0;
        for (int i = 0; i < 200; i++) {
            if (i == 100) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            batch.fill(batch.bytes(), batch.start(), batch.count(), 0, 0);
            filter.apply(batch, (_, _, _) -> {});
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        // A few arrays for each batch, and none for a record.
        assertThat(allocated).isLessThan(100 * 1000 / 4);
    }
}
