package io.millrace.view.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.codec.FieldValueException;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaException;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.RecordViews;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Decimals whose number of decimals is in another field, compared with the values that were set. */
class DigitsTest {

    private static final String FIELDS = """
              - { name: currency, type: string, length: 3, optional: true }
              - { name: price, type: decimal, scale: 6, digits: currency }
              - { name: amount, type: decimal, scale: 6, digits: amountDigits, optional: true }
              - { name: amountDigits, type: i8 }
              - name: legs
                type: group
                repeat: 2
                fields:
                  - { name: rate, type: decimal, scale: 9, digits: places }
                  - { name: places, type: u8 }
            """;

    /** A leg. */
    public interface Leg {
        BigDecimal getRate();

        void setRate(BigDecimal rate);
    }

    /** A payment. */
    public interface Payment {
        @Nullable
        String getCurrency();

        void setCurrency(@Nullable String currency);

        BigDecimal getPrice();

        void setPrice(BigDecimal price);

        @Nullable
        BigDecimal getAmount();

        void setAmount(@Nullable BigDecimal amount);

        int getAmountDigits();

        void setAmountDigits(int digits);

        List<Leg> getLegs();

        void setLegs(List<Leg> legs);
    }

    private record PlainLeg(BigDecimal rate) implements Leg {
        @Override
        public BigDecimal getRate() {
            return rate;
        }

        @Override
        public void setRate(BigDecimal rate) {
            throw new UnsupportedOperationException();
        }
    }

    private static Schema schema(String layout, String fields) {
        String text = "schema: payments\nlayout: " + layout + "\nfields:\n" + fields;
        return SchemaReader.read("payments.yml", text.getBytes(StandardCharsets.UTF_8));
    }

    private static RecordViews<Payment> views(String layout) {
        return RecordViews.of(Payment.class, schema(layout, FIELDS));
    }

    private static BigDecimal random(Random random, int scale) {
        int decimals = random.nextInt(scale + 1);
        BigDecimal value = BigDecimal.valueOf(random.nextInt(), decimals);
        return random.nextInt(4) == 0 ? value.setScale(random.nextInt(20), java.math.RoundingMode.DOWN) : value;
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldReturnTheValuesThatWereSet(String layout) {
        RecordViews<Payment> views = views(layout);
        Random random = new Random(20261130);
        for (int i = 0; i < 2_000; i++) {
            BigDecimal amount = random(random, 6);
            BigDecimal one = random(random, 9);
            BigDecimal other = random(random, 9);
            Payment payment = views.create();
            payment.setAmount(amount);
            payment.setLegs(List.of(new PlainLeg(one), new PlainLeg(other)));
            for (Payment view : List.of(payment, views.view(payment), views.edit(views.view(payment)))) {
                assertThat(view.getAmount()).isEqualTo(amount);
                assertThat(view.getLegs()).extracting(Leg::getRate).containsExactly(one, other);
            }
        }
        Payment thousands = views.create();
        thousands.setAmount(new BigDecimal("12E+3"));
        assertThat(views.view(thousands).getAmount()).isEqualTo(new BigDecimal("12E+3"));
        thousands.setAmount(new BigDecimal("0E+2"));
        assertThat(views.view(thousands).getAmount()).isEqualTo(new BigDecimal("0E+2"));
        thousands.setAmount(null);
        assertThat(views.view(thousands).getAmount()).isNull();
        assertThat(thousands.getAmountDigits()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldDistinguishViewsAsTheirValuesDo(String layout) {
        RecordViews<Payment> views = views(layout);
        Payment one = views.create();
        one.setAmount(new BigDecimal("2.5"));
        Payment other = views.create();
        other.setAmount(new BigDecimal("2.50"));
        assertThat(views.view(one)).isNotEqualTo(views.view(other));
        other.setAmount(new BigDecimal("2.5"));
        assertThat(views.view(one)).isEqualTo(views.view(other));
    }

    @ParameterizedTest
    @CsvSource({
        "fixed, EUR, 12.3, 12.30",
        "fixed, JPY, 8326208, 8326208",
        "fixed, KWD, 1, 1.000",
        "fixed, JPY, 1.5, 1.500000",
        "fixed, XAU, 1.5, 1.500000",
        "fixed, ABC, 1.5, 1.500000",
        "fixed, , 1.5, 1.500000",
        "compact, EUR, 12.3, 12.30",
        "compact, JPY, 8326208.0, 8326208",
        "compact, EUR, 0, 0.00",
        "compact, , 1.5, 1.500000"
    })
    void shouldHaveTheDigitsOfACurrency(
            String layout, @Nullable String currency, BigDecimal price, BigDecimal expected) {
        RecordViews<Payment> views = views(layout);
        Payment payment = views.create();
        payment.setCurrency(currency);
        payment.setPrice(price);
        assertThat(payment.getPrice()).isEqualTo(expected);
        assertThat(views.view(payment).getPrice()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldChangeNothingIfAValueIsRefused(String layout) {
        RecordViews<Payment> views = views(layout);
        Payment payment = views.create();
        payment.setAmount(new BigDecimal("2.50"));
        assertThatExceptionOfType(FieldValueException.class)
                .isThrownBy(() -> payment.setAmount(new BigDecimal("0.1234567")));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> payment.setAmount(BigDecimal.ONE.setScale(39)))
                .withMessage("Invalid value with 39 decimals. Use at most 38, with setScale.");
        assertThat(payment.getAmount()).isEqualTo(new BigDecimal("2.50"));
        Leg leg = payment.getLegs().isEmpty()
                ? views.create(Leg.class)
                : payment.getLegs().getFirst();
        leg.setRate(new BigDecimal("1.50"));
        assertThatExceptionOfType(FieldValueException.class).isThrownBy(() -> leg.setRate(new BigDecimal("1E+3")));
        assertThat(leg.getRate()).isEqualTo(new BigDecimal("1.50"));
    }

    /** A number that no setter has written. */
    @ParameterizedTest
    @CsvSource({"fixed, 100", "compact, 100", "fixed, 0", "compact, -100"})
    void shouldReturnTheValueIfTheNumberIsImpossible(String layout, int digits) {
        RecordViews<Payment> views = views(layout);
        Payment payment = views.create();
        payment.setAmount(new BigDecimal("2.5"));
        payment.setAmountDigits(digits);
        assertThat(views.view(payment).getAmount()).isEqualTo(new BigDecimal("2.500000"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            digits: none            | Unknown field 'none' next to 'price'.
            digits: legs            | Unknown field 'legs' next to 'price'.
            digits: when            | Invalid field 'when' of type date.
            digits: price           | Invalid field 'price' of type decimal.
            """)
    void shouldRefuseFieldsThatHaveNoNumberOfDecimals(String digits, String reason) {
        for (String layout : List.of("fixed", "compact")) {
            String fields = FIELDS.replace("digits: currency", digits) + "  - { name: when, type: date }\n";
            assertThatExceptionOfType(SchemaException.class)
                    .isThrownBy(() -> schema(layout, fields))
                    .withMessage(
                            "payments.yml:5: Field 'price': " + reason + " Use a whole number of decimals, or a text"
                                    + " or enum with a currency, such as EUR. [unknown-name]");
        }
    }
}
