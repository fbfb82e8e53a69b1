package io.millrace.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TradeFilterTest {

    private final Records records = new Records(Trades.SCHEMA)
            .add(trade(1, "Buy", "GBP", "1000000.00", "USD"))
            .add(trade(2, "Sell", "JPY", "1000000.01", "USD"))
            .add(trade(3, "Buy", "EUR", "2500000.50", "CHF"))
            .add(trade(4, "Buy", "GBP", "-3.00", "USD"));

    private static Map<String, Object> trade(long id, String side, String currency1, String amount1, String currency2) {
        Map<String, Object> row = new HashMap<>();
        row.put("id", id);
        row.put("tradeDate", LocalDate.of(2014, 7, 20).plusDays(id));
        row.put("buySell", side);
        row.put("currency1", currency1);
        row.put("amount1", new BigDecimal(amount1));
        row.put("exchangeRate", 1.5);
        row.put("currency2", currency2);
        row.put("amount2", new BigDecimal("0.00"));
        row.put("settlementDate", LocalDate.of(2014, 8, 1));
        return row;
    }

    @Test
    void shouldKeepRecordsForWhichTheConditionHolds() {
        assertThat(records.kept("currency1 == 'GBP' and currency2 == 'USD' and buySell == 'Buy'"))
                .containsExactly(0, 3);
        assertThat(records.kept("currency1 != 'JPY' and amount1 > 1000000")).containsExactly(2);
        assertThat(records.kept("amount1 > 1000000.005")).containsExactly(1, 2);
        assertThat(records.kept("tradeDate >= '2014-07-23'")).containsExactly(2, 3);
        assertThat(records.kept("{1, 3, 9}.contains(id) or total < 0")).containsExactly(0, 2, 3);
        assertThat(records.kept("large")).containsExactly(1, 2);
        assertThat(records.kept("currency1 < 'GBP'")).containsExactly(2);
        assertThat(records.kept("amount1 * exchangeRate == 3750000.75")).containsExactly(2);
        assertThat(records.kept("true")).containsExactly(0, 1, 2, 3);
        assertThat(records.kept("false")).isEmpty();
    }

    @Test
    void shouldFindAConstantAmongFields() {
        assertThat(records.kept("{currency1, currency2}.contains('USD')")).containsExactly(0, 1, 3);
        assertThat(records.kept("{amount1, amount2}.contains(1000000)")).containsExactly(0);
        assertThat(records.kept("{amount1, amount2}.contains(0)")).containsExactly(0, 1, 2, 3);
    }

    @Test
    void shouldRejectRecordsWithoutAResultAndGoOn() {
        Map<Integer, RejectReason> rejects = new TreeMap<>();
        assertThat(records.kept("100 / (id - 2) > 20", rejects)).containsExactly(2, 3);
        assertThat(rejects).containsOnlyKeys(1);
        assertThat(rejects.get(1))
                .isEqualTo(new RejectReason(
                        RejectReason.Kind.EXPRESSION,
                        "No result of '100 / (id - 2) > 20' with id=2: division by zero."));
    }

    @Test
    void shouldRouteToTheFirstConditionThatHolds() {
        RecordBatch batch = records.batch();
        int[] branches = new int[batch.selected()];
        new ExpressionCompiler(Trades.SCHEMA)
                .router(List.of("currency1 == 'GBP'", "buySell == 'Buy'"))
                .loop()
                .route(batch, branches, (_, _, reason) -> {
                    throw new AssertionError(reason);
                });
        assertThat(branches).containsExactly(0, BatchRouter.NONE, 1, 0);
        assertThat(Records.alive(batch)).containsExactly(0, 1, 2, 3);
    }

    @Test
    void shouldSetAddedFields() {
        ExpressionCompiler plain = new ExpressionCompiler(Trades.SCHEMA);
        Field added = Field.of("notional", plain.resultType("amount1 * exchangeRate"), 0);
        Field cents = Field.of("cents", new FieldType.DecimalType(IntStorage.of(8, true, Records.BIG), 2), 0);
        Schema schema = Trades.SCHEMA.extend(added).extend(cents);
        Records extended = new Records(schema).add(trade(1, "Buy", "GBP", "10.11", "USD"));
        RecordBatch batch = extended.batch();
        new ExpressionCompiler(schema)
                .setter(List.of(
                        new Assignment(added, "amount1 * exchangeRate"),
                        new Assignment(cents, "notional"),
                        new Assignment(
                                Objects.requireNonNull(Trades.SCHEMA.field("buySell")), "cents > 15 ? 'Sell' : 'Buy'")))
                .loop()
                .apply(batch, (_, _, reason) -> {
                    throw new AssertionError(reason);
                });
        Map<String, ?> decoded = extended.decode(batch, 0);
        assertThat(decoded.get("notional")).isEqualTo(10.11 * 1.5);
        assertThat(decoded.get("cents")).isEqualTo(new BigDecimal("15.16"));
        assertThat(decoded.get("buySell")).isEqualTo("Sell");
    }

    @Test
    void shouldComputeKeys() {
        RecordBatch batch = records.batch();
        long[] keys = new long[batch.selected()];
        ExpressionCompiler compiler = new ExpressionCompiler(Trades.SCHEMA);
        compiler.keys("currency1").loop().fill(batch, keys, (_, _, _) -> {});
        assertThat(keys).containsExactly(5, 6, 4, 5);
        compiler.orderKeys("amount1").loop().fill(batch, keys, (_, _, _) -> {});
        assertThat(keys).containsExactly(100000000L, 100000001L, 250000050L, -300L);
    }
}
