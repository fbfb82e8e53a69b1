package io.millrace.expression.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.codec.RecordBatch;
import io.millrace.expression.Records;
import io.millrace.expression.Trades;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.time.LocalDate;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelCompiler;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.integration.support.MessageBuilder;
import org.springframework.messaging.Message;

class RecordPropertyAccessorTest {

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
    void shouldShortenAddresses() {
        assertThat(IpText.of(InetAddress.ofLiteral("2001:db8:0:0:1:0:0:1"))).isEqualTo("2001:db8::1:0:0:1");
        assertThat(IpText.of(InetAddress.ofLiteral("::"))).isEqualTo("::");
        assertThat(IpText.of(InetAddress.ofLiteral("1:0:3:4:5:6:7:8"))).isEqualTo("1:0:3:4:5:6:7:8");
        assertThat(IpText.of(InetAddress.ofLiteral("10.0.0.1"))).isEqualTo("10.0.0.1");
    }
}
