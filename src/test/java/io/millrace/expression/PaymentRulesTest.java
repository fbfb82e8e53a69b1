package io.millrace.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rules over payments as ISO 20022 has them: amounts of 18 digits, 5 of them after the point, and exchange rates of 11
 * digits, 10 of them after the point. No record is rejected, and the answers are those of stock SpEL.
 */
class PaymentRulesTest {

    private static final int PAYMENTS = 1500;

    private static final IntStorage I64 = IntStorage.of(8, true, ByteOrder.BIG_ENDIAN);

    private static final Schema SCHEMA = new Schema(
            "payment",
            56,
            List.of(
                    Field.of("instdAmt.amount", new FieldType.DecimalType(I64, 5), 0),
                    Field.of("xchgRate", new FieldType.DecimalType(I64, 10), 8),
                    Field.of("sttlmAmt.amount", new FieldType.DecimalType(I64, 5), 16),
                    Field.of("chrgs", new FieldType.DecimalType(I64, 5), 24).asOptional(Long.MIN_VALUE),
                    Field.of("notional", new FieldType.DecimalType(I64, 2), 32),
                    Field.of("rate", new FieldType.DecimalType(I64, 10), 40),
                    Field.of("settled", new FieldType.DecimalType(I64, 5), 48)),
            List.of());

    private final List<Map<String, @Nullable Object>> payments = payments();

    private static List<Map<String, @Nullable Object>> payments() {
        Random random = new Random(20022);
        return Stream.generate(() -> payment(random)).limit(PAYMENTS).toList();
    }

    /** From cents to the largest amounts, with rates from yen to dinars. */
    private static Map<String, @Nullable Object> payment(Random random) {
        Map<String, @Nullable Object> payment = new HashMap<>();
        BigDecimal amount = digits(random, 1 + random.nextInt(15)).movePointLeft(2);
        BigDecimal xchgRate = digits(random, 1 + random.nextInt(11)).movePointLeft(random.nextInt(11));
        BigDecimal settled = amount.multiply(xchgRate).setScale(5, RoundingMode.HALF_UP);
        payment.put("instdAmt.amount", amount.setScale(5));
        payment.put(
                "xchgRate",
                xchgRate.setScale(10, RoundingMode.HALF_UP)
                        .min(BigDecimal.valueOf(400))
                        .setScale(10));
        payment.put(
                "sttlmAmt.amount",
                random.nextBoolean() && settled.precision() <= 18
                        ? settled
                        : digits(random, 18).movePointLeft(5));
        payment.put(
                "chrgs",
                random.nextInt(3) == 0
                        ? null
                        : digits(random, 8).movePointLeft(5).setScale(5));
        payment.put(
                "notional",
                digits(random, 3 + random.nextInt(13)).movePointLeft(2).setScale(2));
        payment.put(
                "rate", digits(random, 1 + random.nextInt(9)).movePointLeft(10).setScale(10));
        payment.put("settled", BigDecimal.ZERO.setScale(5));
        return payment;
    }

    private static BigDecimal digits(Random random, int count) {
        return new BigDecimal(new BigInteger(1 + random.nextInt(4 * count), random)
                .mod(BigInteger.TEN.pow(count))
                .add(BigInteger.ONE));
    }

    private Records records() {
        Records records = new Records(SCHEMA);
        payments.forEach(records::add);
        return records;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "instdAmt.amount * xchgRate > 10000",
                "notional * rate > 250.5",
                "instdAmt.amount * xchgRate == sttlmAmt.amount",
                "instdAmt.amount * xchgRate - sttlmAmt.amount > 0.01",
                "instdAmt.amount * xchgRate - sttlmAmt.amount between {-0.01, 0.01}",
                "-(instdAmt.amount * xchgRate) < -sttlmAmt.amount",
                "(instdAmt.amount * xchgRate) + (notional * rate) >= 1000000",
                "instdAmt.amount * xchgRate * 2 > sttlmAmt.amount * 3",
                "(instdAmt.amount * xchgRate > 500 ? instdAmt.amount * xchgRate : notional) > 1000",
                "instdAmt.amount * xchgRate - (chrgs ?: 0) > 5000",
                "{5, 10, 500000000000000000}.contains(instdAmt.amount * xchgRate)",
                "instdAmt.amount * xchgRate < 1e20",
                "instdAmt.amount * xchgRate / 100 > 12.5",
                "instdAmt.amount * xchgRate % 1000 > 500",
                "instdAmt.amount / xchgRate > notional",
            })
    void shouldRejectNoPayment(String rule) {
        StockSpel stock = new StockSpel(
                rule.startsWith("{")
                        ? "instdAmt.amount * xchgRate == 5 or instdAmt.amount * xchgRate == 10"
                                + " or instdAmt.amount * xchgRate == 500000000000000000L"
                        : rule.replace("chrgs ?: 0)", "chrgs ?: 0.00000)"));
        Records records = records();
        RecordBatch decoded = records.batch();
        List<Integer> expected = IntStream.range(0, PAYMENTS)
                .filter(i -> Boolean.TRUE.equals(stock.answer(records.decode(decoded, i))))
                .boxed()
                .toList();
        Map<Integer, RejectReason> rejects = new TreeMap<>();
        assertThat(records.kept(rule, rejects)).isEqualTo(expected);
        assertThat(rejects).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#round(instdAmt.amount * xchgRate, 5)",
                "#round(instdAmt.amount * xchgRate - (chrgs ?: 0.00000), 2)",
                "#round(notional * rate, 5)",
                "notional * rate + instdAmt.amount - notional * rate",
            })
    void shouldSettleEachPaymentThatItsFieldCanHold(String rule) {
        Records records = records();
        RecordBatch before = records.batch();
        RecordBatch after = records.batch();
        Map<Integer, RejectReason> rejects = new TreeMap<>();
        new ExpressionCompiler(SCHEMA)
                .setter(List.of(new Assignment(Objects.requireNonNull(SCHEMA.field("settled")), rule)))
                .loop()
                .apply(after, (_, ordinal, reason) -> rejects.put(ordinal, reason));
        StockSpel stock = new StockSpel(rule);
        int settled = 0;
        for (int i = 0; i < PAYMENTS; i++) {
            BigDecimal value = (BigDecimal) Objects.requireNonNull(stock.value(records.decode(before, i)));
            BigDecimal inField = value.setScale(5, RoundingMode.UNNECESSARY);
            boolean fits = inField.unscaledValue().bitLength() < Long.SIZE;
            settled += fits ? 1 : 0;
            assertThat(rejects.containsKey(i) ? null : records.decode(after, i).get("settled"))
                    .isEqualTo(fits ? inField : null);
        }
        assertThat(settled).isGreaterThan(PAYMENTS * 9 / 10);
    }
}
