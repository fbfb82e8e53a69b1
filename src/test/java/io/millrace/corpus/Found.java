package io.millrace.corpus;

import io.millrace.expression.CorpusExpression;
import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What an expression is for each record.
 *
 * @param values by the number of the record, as {@link #plain} returns them; for a condition, those of the records for
 *     which it holds
 * @param failed number of records without a result
 */
record Found(Map<Long, @Nullable Object> values, long failed) {

    /** Returns what stock SpEL finds. */
    static Found expected(CorpusExpression expression, List<Map<String, @Nullable Object>> records, boolean condition) {
        Map<Long, @Nullable Object> values = new TreeMap<>();
        long failed = 0;
        for (Map<String, @Nullable Object> record : records) {
            try {
                Object value = expression.value(record);
                if (!condition || Boolean.TRUE.equals(value)) {
                    values.put(number(record), plain(value));
                } else {
                    failed += value == null ? 1 : 0;
                }
            } catch (RuntimeException noResult) {
                failed++;
            }
        }
        return new Found(values, failed);
    }

    static Long number(Map<String, ? extends @Nullable Object> record) {
        return (Long) Objects.requireNonNull(record.get(CorpusRecords.NUMBER));
    }

    /**
     * Returns a value that equals those of the same number, whatever its type: stock SpEL has doubles where constants
     * of decimals are meant. Zeros have no sign.
     */
    static @Nullable Object plain(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Float real -> plain(real.doubleValue());
            case Double real when !Double.isFinite(real) -> real;
            case Double real -> BigDecimal.valueOf(real).stripTrailingZeros();
            case BigDecimal decimal -> decimal.stripTrailingZeros();
            case Number whole -> new BigDecimal(whole.toString()).stripTrailingZeros();
            case byte[] bytes -> HexFormat.of().formatHex(bytes);
            default -> value;
        };
    }
}
