package io.millrace.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.expression.error.ExpressionException;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.math.BigDecimal;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is written, what is rejected, and what absent values do; over fields of every kind, some inside a group. */
class SetterTest {

    private static final IntStorage U8 = IntStorage.of(1, false, ByteOrder.BIG_ENDIAN);
    private static final IntStorage I64 = IntStorage.of(8, true, ByteOrder.LITTLE_ENDIAN);
    private static final Schema SCHEMA = new Schema(
            "mixed",
            83,
            List.of(
                    Field.of("small", new FieldType.IntegerType(U8), 0),
                    Field.of("maybe", new FieldType.IntegerType(U8), 1).asOptional(255),
                    Field.of("big", new FieldType.IntegerType(IntStorage.of(8, false, ByteOrder.BIG_ENDIAN)), 2),
                    Field.of("price", new FieldType.DecimalType(I64, 4), 10),
                    Field.of("cents", new FieldType.DecimalType(IntStorage.of(3, true, ByteOrder.BIG_ENDIAN), 2), 18),
                    Field.of("rate", new FieldType.FloatType(4, ByteOrder.LITTLE_ENDIAN), 21),
                    Field.of("seen", new FieldType.InstantType(I64, TimeUnit.MILLISECONDS), 25),
                    Field.of("second", new FieldType.InstantType(I64, TimeUnit.SECONDS), 33),
                    Field.of("name", new FieldType.StringType(10, StandardCharsets.UTF_8, (byte) ' '), 41),
                    Field.of("nick", new FieldType.StringType(10, StandardCharsets.UTF_8, (byte) 0), 51)
                            .asOptional(0),
                    Field.of("side", new FieldType.EnumType(U8, Trades.SIDES), 63),
                    Field.of("flag", new FieldType.BooleanType(U8.slice(2, 1)), 64),
                    Field.of("legs[0].amount", new FieldType.IntegerType(U8), 65),
                    Field.of("legs[1].amount", new FieldType.IntegerType(U8), 66),
                    Field.of("ip", new FieldType.IpType(4), 67),
                    Field.of("maybeIp", new FieldType.IpType(4), 71).asOptional(0),
                    Field.of("day", new FieldType.DateType(I64), 75).asOptional(Long.MIN_VALUE)),
            List.of());

    private final Map<Integer, RejectReason> rejects = new TreeMap<>();

    private static Records one(Map<String, ?> row) {
        Map<String, @Nullable Object> all = new HashMap<>(row);
        all.putIfAbsent("side", "Buy");
        all.putIfAbsent("ip", "10.0.0.1");
        return new Records(SCHEMA).add(all);
    }

    /** The field after an assignment, or the reason of the reject. */
    private @Nullable Object set(String target, String expression, Map<String, ?> row) {
        rejects.clear();
        Records records = one(row);
        RecordBatch batch = records.batch();
        Field field = Objects.requireNonNull(SCHEMA.field(target));
        new ExpressionCompiler(SCHEMA)
                .setter(List.of(new Assignment(field, expression)))
                .loop()
                .apply(batch, (_, ordinal, reason) -> rejects.put(ordinal, reason));
        RejectReason reason = rejects.get(0);
        assertThat(batch.selected()).isEqualTo(reason == null ? 1 : 0);
        return reason == null ? records.decode(batch, 0).get(target) : reason.kind();
    }

    private RejectReason first() {
        return Objects.requireNonNull(rejects.get(0));
    }

    private List<Integer> kept(String expression, Map<String, ?> row) {
        rejects.clear();
        return one(row).kept(expression, rejects);
    }

    @Test
    void shouldComputeAgainFromAFieldThatWasWritten() {
        Records records = one(Map.of("small", 3L));
        RecordBatch batch = records.batch();
        List<Assignment> assignments = List.of(
                new Assignment(Objects.requireNonNull(SCHEMA.field("big")), "small * 10"),
                new Assignment(Objects.requireNonNull(SCHEMA.field("small")), "small + 1"),
                new Assignment(Objects.requireNonNull(SCHEMA.field("legs[0].amount")), "small * 10"));
        new ExpressionCompiler(SCHEMA).setter(assignments).loop().apply(batch, (_, _, reason) -> {
            throw new AssertionError(reason.detail());
        });
        assertThat(records.decode(batch, 0))
                .containsEntry("big", 30L)
                .containsEntry("small", 4L)
                .containsEntry("legs[0].amount", 40L);
    }

    @Test
    void shouldWriteValuesOfEveryKind() {
        Map<String, ?> row = Map.of("small", 7L, "price", new BigDecimal("12.5000"), "name", "abc");
        assertThat(set("small", "small * 3", row)).isEqualTo(21L);
        assertThat(set("price", "small", row)).isEqualTo(new BigDecimal("7.0000"));
        assertThat(set("cents", "price", row)).isEqualTo(new BigDecimal("12.50"));
        assertThat(set("cents", "price * 1.25", row)).isEqualTo(RejectReason.Kind.OUT_OF_RANGE);
        assertThat(set("rate", "price", row)).isEqualTo(12.5);
        assertThat(set("seen", "'2014-07-21T10:00:00.123Z'", row)).isEqualTo(Instant.parse("2014-07-21T10:00:00.123Z"));
        assertThat(set("nick", "name", row)).isEqualTo("abc");
        assertThat(set("nick", "small > 5 ? 'high' : name", row)).isEqualTo("high");
        assertThat(set("side", "small > 5 ? 'Sell' : 'Buy'", row)).isEqualTo("Sell");
        assertThat(set("flag", "small > 5", row)).isEqualTo(true);
        assertThat(set("ip", "'192.168.0.1'", row)).isEqualTo("192.168.0.1");
        assertThat(set("legs[1].amount", "legs[0].amount + 1", row)).isEqualTo(1L);
    }

    @Test
    void shouldRejectWhatAFieldCannotHold() {
        Map<String, ?> row = Map.of("small", 200L, "rate", 1e30, "price", new BigDecimal("1.2345"), "maybe", 250L);
        assertThat(set("small", "small * 3", row)).isEqualTo(RejectReason.Kind.OUT_OF_RANGE);
        assertThat(first().detail())
                .isEqualTo("Invalid value in 'small * 3' with small=200: value 600 does not fit small (u8).");
        assertThat(set("cents", "price", row)).isEqualTo(RejectReason.Kind.OUT_OF_RANGE);
        assertThat(set("cents", "rate", row)).isEqualTo(RejectReason.Kind.OUT_OF_RANGE);
        assertThat(set("cents", "rate * 1e300 - rate * 1e300", row)).isEqualTo(RejectReason.Kind.OUT_OF_RANGE);
        assertThat(set("rate", "rate * 1e30", row)).isEqualTo(RejectReason.Kind.OUT_OF_RANGE);
        assertThat(set("maybe", "maybe + 5", row)).isEqualTo(RejectReason.Kind.OUT_OF_RANGE);
        assertThat(set("name", "nick", Map.of("nick", "ab "))).isEqualTo(RejectReason.Kind.OUT_OF_RANGE);
        assertThat(set("second", "seen", Map.of("seen", Instant.ofEpochMilli(1500))))
                .isEqualTo(RejectReason.Kind.OUT_OF_RANGE);
    }

    @Test
    void shouldKeepAbsentValuesAbsent() {
        Map<String, ?> absent = Map.of("small", 1L);
        assertThat(set("maybe", "small > 0 ? null : 5", Map.of("small", 1L, "maybe", 3L)))
                .isNull();
        assertThat(set("nick", "null", Map.of("nick", "x"))).isNull();
        assertThat(set("small", "maybe", absent)).isEqualTo(RejectReason.Kind.OUT_OF_RANGE);
        assertThat(set("small", "maybe ?: 9", absent)).isEqualTo(9L);
        assertThat(set("name", "nick", absent)).isEqualTo(RejectReason.Kind.OUT_OF_RANGE);
        assertThat(set("name", "nick ?: 'none'", absent)).isEqualTo("none");
        assertThat(set("small", "maybe + 1", absent)).isEqualTo(RejectReason.Kind.EXPRESSION);
        assertThat(first().detail()).isEqualTo("No result of 'maybe + 1' with maybe=absent: maybe is absent.");
        assertThat(set("small", "+maybe", absent)).isEqualTo(RejectReason.Kind.EXPRESSION);
        assertThat(kept("maybe == null and nick == null and maybe < 0 and !(maybe > 0)", absent))
                .containsExactly(0);
        assertThat(kept("nick == ''", absent)).isEmpty();
        assertThat(kept("name == ''", absent)).containsExactly(0);
    }

    /** A value that its field would read as absent is rejected, or refused where it is known before. */
    @Test
    void shouldNotMakeAValueAbsent() {
        assertThat(set("nick", "name", Map.of("small", 1L))).isEqualTo(RejectReason.Kind.OUT_OF_RANGE);
        assertThat(first().detail())
                .isEqualTo("Invalid value in 'name' with name=: value of padding only, which stands for absent, does"
                        + " not fit nick.");
        assertThat(set("maybeIp", "ip", Map.of("ip", "0.0.0.0"))).isEqualTo(RejectReason.Kind.OUT_OF_RANGE);
        assertThat(set("maybeIp", "ip", Map.of("ip", "10.0.0.0"))).isEqualTo("10.0.0.0");
        assertThat(set("ip", "maybeIp ?: '0.0.0.0'", Map.of())).isEqualTo("0.0.0.0");
        for (String assignment : List.of("nick = ''", "nick = small > 0 ? '' : 'x'", "maybeIp = '0.0.0.0'")) {
            String[] parts = assignment.split(" = ", 2);
            assertThatExceptionOfType(ExpressionException.class)
                    .as(assignment)
                    .isThrownBy(() -> set(parts[0], parts[1], Map.of()))
                    .withMessageContaining("the field stores it for an absent value");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "maybe                      | 255   | false",
                "small > 5 ? maybe : null   | 0     | true",
                "nick                       | 0     | false",
                "day                        | 0     | true",
                "small > 5 ? name : null    | 0     | true",
                "small                      |       | false",
            })
    void shouldGiveNewFieldsEveryValueOfTheirExpression(String expression, @Nullable Long nullRaw, boolean nullFlag) {
        Field field = new ExpressionCompiler(SCHEMA).resultField("x", expression);

        assertThat(field.optional()).isEqualTo(nullRaw != null);
        assertThat(field.nullRaw()).isEqualTo(nullRaw == null ? 0 : nullRaw);
        assertThat(field.nullFlag()).isEqualTo(nullFlag);
    }

    @Test
    void shouldCompareTextsAddressesAndPaths() {
        Map<String, ?> row = Map.of("name", "abc", "nick", "abc", "ip", "10.0.0.7", "legs[1].amount", 4L);
        assertThat(kept("name == 'abc' and nick == name and name != 'abcd'", row))
                .containsExactly(0);
        assertThat(kept("{'a', 'b', 'abc', 'c', 'd', 'e'}.contains(nick)", row)).containsExactly(0);
        assertThat(kept("{'a', 'b', 'ab', 'c', 'd', 'e'}.contains(name)", row)).isEmpty();
        assertThat(kept("ip == '10.0.0.7' and legs[1].amount == 4", row)).containsExactly(0);
    }

    @Test
    void shouldRejectBytesThatAreNoValue() {
        RecordBatch batch = one(Map.of()).batch();
        batch.bytes()[batch.offset(0) + 63] = 9;
        RawBytes.putLong(batch.bytes(), batch.offset(0) + 2, -1);
        ExpressionCompiler compiler = new ExpressionCompiler(SCHEMA);
        compiler.filter("side == 'Buy'").loop().apply(batch, (_, ordinal, reason) -> rejects.put(ordinal, reason));
        assertThat(first().kind()).isEqualTo(RejectReason.Kind.INVALID_VALUE);
        assertThat(first().detail()).contains(": side=9 is not a valid value");
        batch.fill(batch.bytes(), batch.start(), 1, 0, 0);
        compiler.filter("big + 0 > 5").loop().apply(batch, (_, ordinal, reason) -> rejects.put(ordinal, reason));
        assertThat(first().kind()).isEqualTo(RejectReason.Kind.EXPRESSION);
        assertThat(first().detail()).contains(": big=18446744073709551615 is too large");
    }

    @Test
    void shouldOrderLikeTheValues() {
        Records records = new Records(SCHEMA)
                .add(row("Sell", "b", null, -1.5))
                .add(row("Buy", "a", 3L, 2.0))
                .add(row("Buy", "ab", 0L, -0.0));
        ExpressionCompiler compiler = new ExpressionCompiler(SCHEMA);
        assertThat(order(compiler.orderKeys("maybe").loop(), records)).containsExactly(0, 2, 1);
        assertThat(order(compiler.orderKeys("rate").loop(), records)).containsExactly(0, 2, 1);
        assertThat(order(compiler.orderKeys("side").loop(), records)).containsExactly(1, 2, 0);
        RecordBatch batch = records.batch();
        compiler.keys("maybe").loop().fill(batch, new long[3], (_, ordinal, reason) -> rejects.put(ordinal, reason));
        assertThat(rejects).containsOnlyKeys(0);
        assertThat(Records.alive(batch)).containsExactly(1, 2);
    }

    private static Map<String, @Nullable Object> row(String side, String name, @Nullable Long maybe, double rate) {
        Map<String, @Nullable Object> row = new HashMap<>(Map.of("side", side, "name", name, "rate", rate));
        row.put("maybe", maybe);
        row.put("ip", "10.0.0.1");
        return row;
    }

    private static List<Integer> order(BatchKeys keys, Records records) {
        RecordBatch batch = records.batch();
        long[] into = new long[batch.selected()];
        keys.fill(batch, into, (_, _, reason) -> {
            throw new AssertionError(reason);
        });
        return Records.alive(batch).stream()
                .sorted((a, b) -> Long.compare(into[a], into[b]))
                .toList();
    }
}
