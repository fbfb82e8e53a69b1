package io.millrace.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.schema.Schema;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelCompiler;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import trades.Trade;

/** Expressions that Spring itself compiles for views, as Spring Integration's filters do. */
class CompiledSpelTest {

    /** Evaluations until Spring compiles in mode MIXED. */
    private static final int EVALUATIONS = 250;

    private static final List<String> ON_ORDERS = List.of(
            "quantity > 5",
            "id == 7L and open",
            "ratio * 2",
            "side.name() == 'BUY'",
            "party.name == 'name7'",
            "party.name",
            "legs[1].amount",
            "legs.size() > 1 and legs[0].side().name() == 'BUY'",
            "title()",
            "isValid()",
            "day.year > 2000");

    private static final List<String> ON_TRADES = List.of(
            "id == 7L",
            "buySell == 'Buy'",
            "exchangeRate < 1.5 and currency1 != 'EUR'",
            "daysToSettlement()",
            "buys()");

    static Stream<Arguments> orders() {
        return Stream.of(Orders.FIXED, Orders.COMPACT)
                .flatMap(schema -> Stream.of(SpelCompilerMode.IMMEDIATE, SpelCompilerMode.MIXED)
                        .flatMap(mode ->
                                Stream.of(Arguments.of(schema, mode, false), Arguments.of(schema, mode, true))));
    }

    @ParameterizedTest
    @MethodSource("orders")
    void shouldCompileForViewsOfAnInterface(Schema schema, SpelCompilerMode mode, boolean mutable) {
        RecordViews<Order> views = RecordViews.of(Order.class, schema);
        Order order = Orders.fill(views.create(), 7);
        Order view = mutable ? order : views.view(order);
        ON_ORDERS.forEach(text -> requireCompiled(text, mode, view));
    }

    @ParameterizedTest
    @EnumSource(value = SpelCompilerMode.class, names = "OFF", mode = EnumSource.Mode.EXCLUDE)
    void shouldCompileForViewsOfAClass(SpelCompilerMode mode) {
        for (String layout : List.of("fixed", "compact")) {
            RecordViews<Trade> views = TradeViews.of(layout);
            Trade trade = views.create();
            ON_TRADES.forEach(text -> requireCompiled(text, mode, trade));
            ON_TRADES.forEach(text -> requireCompiled(text, mode, views.view(trade)));
        }
    }

    /** Compares the compiled expression with the interpreted one. */
    private static void requireCompiled(String text, SpelCompilerMode mode, Object root) {
        Object expected = parse(text, SpelCompilerMode.OFF).getValue(root);
        SpelExpression expression = parse(text, mode);
        for (int i = 0; i < EVALUATIONS; i++) {
            assertThat(expression.getValue(root)).as(text).isEqualTo(expected);
        }
        assertThat(SpelCompiler.compile(expression)).as("%s is compiled", text).isTrue();
        assertThat(expression.getValue(root)).as(text).isEqualTo(expected);
    }

    private static SpelExpression parse(String text, SpelCompilerMode mode) {
        return (SpelExpression) new SpelExpressionParser(new SpelParserConfiguration(mode, null)).parseExpression(text);
    }
}
