package io.millrace.model.sample;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the numbers of a field have in common. Not thread-safe. */
final class NumberStatistics {

    /** No field of digits holds a number of longer text, which is also slow to compute with. */
    private static final int MAX_TEXT = 60;

    /** Every number of so many digits fits a long. */
    private static final int MAX_DIGITS = 18;

    /** Numbers with more decimals than this are more likely floating-point numbers than amounts. */
    private static final int USUAL_SCALE = 9;

    private static final Pattern DIGITS = Pattern.compile("-?[0-9]+");
    private static final List<String> UNSIGNED = List.of("u8", "u16", "u32");
    private static final List<String> SIGNED = List.of("i8", "i16", "i32");
    private static final BigInteger U64 = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);

    private boolean any;
    private boolean whole = true;
    private boolean exact = true;
    private boolean real = true;
    private int scale;
    private int integerDigits;
    private BigDecimal min = BigDecimal.ZERO;
    private BigDecimal max = BigDecimal.ZERO;
    private long longMin = Long.MAX_VALUE;
    private long longMax = Long.MIN_VALUE;

    /** Takes a number as it is written in the sample. */
    void see(String text) {
        if (text.length() < MAX_DIGITS && isDigits(text)) {
            // Most numbers are short: these create no objects.
            long number = Long.parseLong(text);
            longMin = Math.min(longMin, number);
            longMax = Math.max(longMax, number);
            real &= number == (long) (double) number;
            return;
        }
        if (text.length() > MAX_TEXT) {
            whole = false;
            exact = false;
            real = false;
            return;
        }
        seeDecimal(text);
    }

    private static boolean isDigits(String text) {
        for (int i = text.charAt(0) == '-' ? 1 : 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    private void seeDecimal(String text) {
        double nearest = Double.parseDouble(text);
        BigDecimal number = new BigDecimal(text);
        boolean digits = DIGITS.matcher(text).matches();
        whole &= digits;
        real &= !Double.isInfinite(nearest) && (!digits || new BigDecimal(nearest).compareTo(number) == 0);
        long before = (long) number.precision() - number.scale();
        if (before > MAX_DIGITS + 2 || number.scale() > MAX_DIGITS) {
            exact = false;
            return;
        }
        scale = Math.max(scale, number.scale());
        integerDigits = Math.max(integerDigits, (int) before);
        min = any ? min.min(number) : number;
        max = any ? max.max(number) : number;
        any = true;
    }

    private void join() {
        if (longMin <= longMax) {
            seeDecimal(Long.toString(longMin));
            seeDecimal(Long.toString(longMax));
            longMin = Long.MAX_VALUE;
            longMax = Long.MIN_VALUE;
        }
    }

    /**
     * Returns an integer type that holds all numbers, or null if none does.
     *
     * @param reserved whether the smallest or largest number stands for absent
     * @param smallest whether to return the smallest type instead of one of 64 bits
     */
    @Nullable
    String integer(boolean reserved, boolean smallest) {
        join();
        if (!whole || !exact) {
            return null;
        }
        BigInteger low = min.toBigInteger();
        BigInteger high = max.toBigInteger();
        List<String> small = low.signum() < 0 ? SIGNED : UNSIGNED;
        for (int i = 0; smallest && i < small.size(); i++) {
            int bits = 8 << i;
            BigInteger end = BigInteger.TWO.pow(low.signum() < 0 ? bits - 1 : bits);
            // An optional field of the fixed layout uses the smallest or the largest number for absent.
            BigInteger first =
                    low.signum() < 0 ? end.negate().add(reserved ? BigInteger.ONE : BigInteger.ZERO) : BigInteger.ZERO;
            BigInteger last = end.subtract(reserved && low.signum() >= 0 ? BigInteger.TWO : BigInteger.ONE);
            if (low.compareTo(first) >= 0 && high.compareTo(last) <= 0) {
                return small.get(i);
            }
        }
        if (low.bitLength() < Long.SIZE && high.bitLength() < Long.SIZE) {
            return "i64";
        }
        return low.signum() >= 0 && high.compareTo(U64) <= 0 ? "u64" : null;
    }

    /**
     * Returns the scale of an exact decimal that holds all numbers, or -1 if none does: the most decimals seen, and one
     * more if that makes the scale even and leaves space for the digits before the point.
     */
    int decimals() {
        join();
        if (!exact || integerDigits + scale > MAX_DIGITS) {
            return -1;
        }
        int even = scale + scale % 2;
        return integerDigits + even <= MAX_DIGITS ? even : scale;
    }

    /** Returns whether the numbers have so few decimals that they are likely to be amounts. */
    boolean isUsual() {
        join();
        return scale <= USUAL_SCALE;
    }

    /** Returns whether a floating-point number of 8 bytes holds each number: whole ones exactly, others rounded. */
    boolean isReal() {
        join();
        return real;
    }

    /** Returns the range for a comment. */
    String range() {
        join();
        return min.toPlainString() + " to " + max.toPlainString();
    }
}
