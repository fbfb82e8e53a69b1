package io.millrace.codec.compact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class CompactNumbersTest {

    @Property(tries = 500)
    void shouldFindTheSmallestExponentOfADouble(@ForAll long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            double value = number(random);
            assertThat(CompactNumbers.exponent(value)).as("%s", value).isEqualTo(smallest(value));
        }
    }

    /** Returns decimals, their neighbours, doubles at the limits and arbitrary bits. */
    private static double number(Random random) {
        long mantissa = random.nextLong() >> random.nextInt(64);
        double decimal = mantissa / Math.pow(10, random.nextInt(25));
        return switch (random.nextInt(6)) {
            case 0 -> Double.longBitsToDouble(random.nextLong());
            case 1 -> Math.nextUp(decimal);
            case 2 -> Math.nextDown(decimal);
            case 3 -> (1L << 53) - random.nextInt(3) + random.nextInt(2) / 2.0;
            case 4 -> mantissa + random.nextInt(2) / 2.0;
            default -> decimal;
        };
    }

    /** Tries every exponent. */
    private static int smallest(double value) {
        for (int exponent = 0; exponent <= CompactNumbers.MAX_EXPONENT; exponent++) {
            long mantissa = CompactNumbers.mantissa(value, exponent);
            if (Math.abs(value * Double.parseDouble("1e" + exponent)) >= 1L << 53) {
                return -1;
            }
            if (Double.doubleToRawLongBits(CompactNumbers.real(mantissa, exponent))
                    == Double.doubleToRawLongBits(value)) {
                return exponent;
            }
        }
        return -1;
    }
}
