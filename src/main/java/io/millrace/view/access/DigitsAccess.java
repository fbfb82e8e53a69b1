package io.millrace.view.access;

import io.millrace.view.value.OptionalKind;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A decimal whose number of decimals depends on another field of the same part: the number itself, which the setter
 * writes, or a currency, whose minor unit has as many decimals by ISO 4217.
 *
 * @param amount the decimal with the decimals of its type; null if it is absent
 * @param digits the other field, as a {@code Long} or a text
 * @param counted whether the other field is the number
 * @param optional how the getter shows an absent value
 */
record DigitsAccess(Access amount, Access digits, boolean counted, OptionalKind optional) implements Access {

    /** Currencies without a minor unit, such as gold, are not among them. */
    private static final Map<String, Integer> DIGITS = Currency.getAvailableCurrencies().stream()
            .filter(currency -> currency.getDefaultFractionDigits() >= 0)
            .collect(Collectors.toUnmodifiableMap(
                    Currency::getCurrencyCode, Currency::getDefaultFractionDigits, (one, _) -> one));

    /** Others are not from a setter: a text of so many zeros would end the memory. */
    private static final int MAX_DIGITS = 38;

    @Override
    public @Nullable Object get(BinaryView view) {
        BigDecimal value = (BigDecimal) amount.get(view);
        return optional.wrap(value == null ? null : scaled(value, digits.get(view)));
    }

    /** Returns the value as it is if nothing is known about its decimals, or if it has more of them. */
    private static BigDecimal scaled(BigDecimal value, @Nullable Object known) {
        Integer scale = switch (known) {
            case null -> null;
            case Long number when number >= -MAX_DIGITS && number <= MAX_DIGITS -> number.intValue();
            default -> DIGITS.get(known.toString());
        };
        boolean loses = scale != null
                && value.signum() != 0
                && scale < value.scale()
                && value.stripTrailingZeros().scale() > scale;
        return scale == null || loses ? value : value.setScale(scale);
    }

    @Override
    public void set(BinaryView view, @Nullable Object value) {
        if (!counted || view.millraceBytes() == null) {
            amount.set(view, OptionalKind.unwrap(value));
            return;
        }
        long scale = OptionalKind.unwrap(value) instanceof BigDecimal decimal ? decimal.scale() : 0;
        if (Math.abs(scale) > MAX_DIGITS) {
            throw new IllegalArgumentException(
                    "Invalid value with " + scale + " decimals. Use at most " + MAX_DIGITS + ", with setScale.");
        }
        Object before = digits.get(view);
        digits.set(view, scale);
        try {
            amount.set(view, OptionalKind.unwrap(value));
        } catch (RuntimeException e) {
            digits.set(view, before);
            throw e;
        }
    }
}
