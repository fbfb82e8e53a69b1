package io.millrace.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Makes inputs from valid ones by changes that parsers tend to miss. Not thread-safe. */
public final class Mutations {

    private static final long[] NUMBERS = {
        0,
        1,
        -1,
        2,
        4,
        127,
        128,
        255,
        256,
        32_767,
        32_768,
        65_535,
        65_536,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        0xFFFF_FFFFL,
        Long.MAX_VALUE,
        Long.MIN_VALUE
    };
    private static final List<String> WORDS = List.of(
            "",
            " ",
            "\n",
            "\r\n",
            "\u0000",
            "'",
            "\"",
            "\\",
            ",",
            ";",
            "|",
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            ": ",
            "- ",
            "&a ",
            "*a",
            "null",
            "true",
            "NaN",
            "-0",
            "1e999",
            "9223372036854775808",
            "0x",
            "%",
            "#",
            "T(",
            "?",
            "*",
            "+",
            "{1000}",
            "\ud83d\ude00",
            "\u202e",
            "é",
            "P1D",
            "1ns",
            "-5s",
            " desc",
            "count()",
            "id",
            " and ");
    private static final int MAX_LENGTH = 20_000;

    private final Random random;
    private final List<byte[]> seeds;

    /** @param seeds at least one */
    public Mutations(long seed, List<byte[]> seeds) {
        this.random = new Random(seed);
        this.seeds = seeds;
    }

    public byte[] next() {
        if (random.nextInt(50) == 0) {
            return random(random.nextInt(300));
        }
        byte[] bytes = pick();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            bytes = changed(bytes);
        }
        return bytes.length > MAX_LENGTH ? Arrays.copyOf(bytes, MAX_LENGTH) : bytes;
    }

    private byte[] changed(byte[] bytes) {
        int at = random.nextInt(bytes.length + 1);
        int end = Math.min(bytes.length, at + 1 + random.nextInt(random.nextInt(4) == 0 ? bytes.length + 1 : 8));
        return switch (random.nextInt(10)) {
            case 0, 1 -> overwritten(bytes, at, random(1));
            case 2, 3 -> overwritten(bytes, at, number());
            case 4 -> replaced(bytes, at, at, word(), 1);
            case 5 -> replaced(bytes, at, end, word(), 1);
            case 6 -> replaced(bytes, at, end, new byte[0], 1);
            case 7 -> Arrays.copyOf(bytes, at);
            case 8 ->
                replaced(
                        bytes,
                        at,
                        at,
                        random.nextBoolean() ? word() : Arrays.copyOfRange(bytes, at, end),
                        1 + random.nextInt(random.nextInt(8) == 0 ? 5000 : 20));
            default -> spliced(bytes, at, pick());
        };
    }

    private byte[] number() {
        long number = NUMBERS[random.nextInt(NUMBERS.length)] + random.nextInt(3) - 1;
        byte[] bytes = new byte[1 << random.nextInt(4)];
        boolean big = random.nextBoolean();
        for (int i = 0; i < bytes.length; i++) {
            bytes[big ? bytes.length - 1 - i : i] = (byte) (number >>> (8 * i));
        }
        return bytes;
    }

    private byte[] word() {
        return WORDS.get(random.nextInt(WORDS.size())).getBytes(StandardCharsets.UTF_8);
    }

    private byte[] random(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte[] pick() {
        return seeds.get(random.nextInt(seeds.size())).clone();
    }

    private static byte[] overwritten(byte[] bytes, int at, byte[] by) {
        System.arraycopy(by, 0, bytes, at, Math.min(by.length, bytes.length - at));
        return bytes;
    }

    private byte[] spliced(byte[] bytes, int at, byte[] other) {
        int from = random.nextInt(other.length + 1);
        return replaced(bytes, at, bytes.length, Arrays.copyOfRange(other, from, other.length), 1);
    }

    private static byte[] replaced(byte[] bytes, int from, int to, byte[] by, int times) {
        int repeated = by.length == 0 ? 0 : Math.min(times, 1 + MAX_LENGTH / by.length);
        byte[] result = new byte[from + by.length * repeated + bytes.length - to];
        System.arraycopy(bytes, 0, result, 0, from);
        int at = from;
        for (int i = 0; i < repeated; i++) {
            System.arraycopy(by, 0, result, at, by.length);
            at += by.length;
        }
        System.arraycopy(bytes, to, result, at, bytes.length - to);
        return result;
    }
}
