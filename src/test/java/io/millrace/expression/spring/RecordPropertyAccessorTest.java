package io.millrace.expression.spring;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordBatch;
import io.millrace.expression.Records;
import io.millrace.expression.Trades;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.expression.AccessException;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelCompiler;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.integration.support.MessageBuilder;
import org.springframework.messaging.Message;

class RecordPropertyAccessorTest {

    private static final int READS = 10_000;

    private final StandardEvaluationContext context = new StandardEvaluationContext();

    RecordPropertyAccessorTest() {
        RecordPropertyAccessor.of(Trades.SCHEMA).forEach(context::addPropertyAccessor);
    }

    private static Message<byte[]> message(String currency1) {
        RecordBatch batch = new Records(Trades.SCHEMA)
                .add(Map.of(
                        "id",
                        77L,
                        "buySell",
                        "Buy",
                        "currency1",
                        currency1,
                        "currency2",
                        "USD",
                        "amount1",
                        new BigDecimal("12.50"),
                        "exchangeRate",
                        1.25,
                        "tradeDate",
                        LocalDate.of(2014, 7, 21)))
                .batch();
        byte[] record = new byte[39];
        batch.copyRecord(0, record, 0, 39);
        return MessageBuilder.withPayload(record).build();
    }

    private static Expression parse(String text) {
        return new SpelExpressionParser(new SpelParserConfiguration(SpelCompilerMode.IMMEDIATE, null)).parseRaw(text);
    }

    private @Nullable Object value(String text) {
        return parse(text).getValue(context, message("GBP"));
    }

    @Test
    void shouldReadEveryKindOfField() {
        assertThat(value("payload.id")).isEqualTo(77L);
        assertThat(value("payload.currency1")).isSameAs(Trades.CURRENCIES.name(5));
        assertThat(value("payload.amount1")).isEqualTo(new BigDecimal("12.50"));
        assertThat(value("payload.exchangeRate")).isEqualTo(1.25);
        assertThat(value("payload.tradeDate")).isEqualTo(LocalDate.of(2014, 7, 21));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "payload.currency1 == 'GBP'",
                "payload.currency1 == 'GBP' and payload.currency2 == 'USD' and payload.buySell == 'Buy'",
                "payload.id > 5L and payload.exchangeRate < 2.0",
                "payload.id + 1L == 78L and payload.exchangeRate * 2 == 2.5",
                "payload.amount1.doubleValue() > 12.0",
                "payload.tradeDate.year == 2014",
            })
    void shouldBeCompiledBySpring(String text) {
        Expression expression = parse(text);
        assertThat(expression.getValue(context, message("GBP"))).isEqualTo(true);
        assertThat(SpelCompiler.compile(expression)).isTrue();
        for (int i = 0; i < 3; i++) {
            assertThat(expression.getValue(context, message("GBP"))).isEqualTo(true);
        }
    }

    @Test
    void shouldSeeEachRecord() {
        Expression expression = parse("payload.currency1 == 'GBP'");
        assertThat(expression.getValue(context, message("GBP"))).isEqualTo(true);
        assertThat(expression.getValue(context, message("GBP"))).isEqualTo(true);
        assertThat(expression.getValue(context, message("JPY"))).isEqualTo(false);
    }

    @Test
    void shouldRefuseArraysOfOtherLengths() {
        Expression expression = parse("payload.currency1 == 'GBP'");
        Message<byte[]> cut = MessageBuilder.withPayload(new byte[38]).build();
        assertThatThrownBy(() -> expression.getValue(context, cut)).isInstanceOf(EvaluationException.class);
        expression.getValue(context, message("GBP"));
        SpelCompiler.compile(expression);
        assertThatThrownBy(() -> expression.getValue(context, cut)).isInstanceOf(EvaluationException.class);
    }

    @Test
    void shouldReadAddressesAbsentValuesAndNumbersPastLong() throws AccessException {
        Schema schema = new Schema(
                "flow",
                25,
                List.of(
                        Field.of("host", new FieldType.IpType(16), 0),
                        Field.of("maybe", new FieldType.BooleanType(IntStorage.of(1, false, BIG_ENDIAN)), 16)
                                .asOptional(255),
                        Field.of("count", new FieldType.IntegerType(IntStorage.of(8, false, BIG_ENDIAN)), 17)),
                List.of());
        byte[] record = new byte[25];
        record[0] = 0x20;
        record[1] = 1;
        record[15] = 1;
        record[16] = -1;
        record[17] = -1;
        List<PropertyAccessor> accessors = RecordPropertyAccessor.of(schema);
        assertThat(accessors.get(0).read(context, record, "host").getValue()).isEqualTo("2001::1");
        assertThat(accessors.get(1).read(context, record, "maybe").getValue()).isNull();
        RecordPropertyAccessor count = (RecordPropertyAccessor) accessors.get(2);
        assertThatThrownBy(() -> count.readLong(record)).isInstanceOf(FieldValueException.class);
        record[17] = 1;
        assertThat(count.readLong(record)).isEqualTo(1L << 56);
    }

    @Test
    void shouldKeepOneAccessorForAField() {
        assertThat(RecordPropertyAccessor.of(Trades.SCHEMA)).isEqualTo(RecordPropertyAccessor.of(Trades.SCHEMA));
    }

    @Test
    void shouldReadNumbersWithoutAllocation() {
        byte[] record = message("GBP").getPayload();
        List<PropertyAccessor> accessors = RecordPropertyAccessor.of(Trades.SCHEMA);
        RecordPropertyAccessor id = (RecordPropertyAccessor) accessors.getFirst();
        RecordPropertyAccessor currency = (RecordPropertyAccessor) accessors.get(3);
        RecordPropertyAccessor rate = (RecordPropertyAccessor) accessors.get(5);
        var thread = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = 0;
        double sum = 0;
        for (int round = 0; round < 2; round++) {
            long before = thread.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < READS; i++) {
                sum += id.readLong(record) + rate.readDouble(record);
                sum += Objects.equals(currency.read(record), "GBP") ? 1 : 0;
            }
            allocated = thread.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(sum).isEqualTo(2 * READS * (77 + 1.25 + 1));
        assertThat(allocated).isLessThan(READS);
    }
}
