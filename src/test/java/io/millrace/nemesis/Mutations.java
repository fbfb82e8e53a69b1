package io.millrace.nemesis;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Damages recorded messages as an attacker would: lengths, types, nesting and ends. The same for each seed. */
public final class Mutations {

    private static final int MAX_CHANGES = 4;
    private static final int[] LENGTHS = {Integer.MAX_VALUE, 1_000_000_000, -1, 1 << 16, 0, Integer.MIN_VALUE, 1 << 24};

    private final SplittableRandom random;
    private final List<byte[]> recorded;

    public Mutations(long seed, List<byte[]> recorded) {
        this.random = new SplittableRandom(seed);
        this.recorded = recorded;
    }

    /** Returns the next message. */
    public byte[] next() {
        byte[] message = any().clone();
        for (int left = 1 + random.nextInt(MAX_CHANGES); left > 0 && message.length > 0; left--) {
            message = changed(message, random.nextInt(message.length));
        }
        return message;
    }

    private byte[] any() {
        return recorded.get(random.nextInt(recorded.size()));
    }

    private byte[] changed(byte[] message, int at) {
        switch (random.nextInt(7)) {
            case 0 -> message[at] = (byte) random.nextInt();
            case 1 -> message[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
            case 2 -> number(message, at, LENGTHS[random.nextInt(LENGTHS.length)]);
            case 3 -> {
                message[at] = (byte) 0xFD; // an int follows as the length of an array
                number(message, at + 1, LENGTHS[random.nextInt(LENGTHS.length)]);
            }
            case 4 -> {
                return Arrays.copyOf(message, at);
            }
            case 5 -> {
                int end = Math.min(message.length, at + 1 + random.nextInt(64));
                byte[] part = Arrays.copyOfRange(message, at, end);
                int times = 1 + random.nextInt(20);
                byte[] nested = Arrays.copyOf(message, message.length + part.length * times);
                for (int i = 0; i < times; i++) {
                    System.arraycopy(part, 0, nested, at + i * part.length, part.length);
                }
                System.arraycopy(message, at, nested, at + times * part.length, message.length - at);
                return nested;
            }
            default -> {
                byte[] other = any();
                int from = random.nextInt(Math.max(1, other.length));
                byte[] spliced = Arrays.copyOf(message, at + other.length - from);
                System.arraycopy(other, from, spliced, at, other.length - from);
                return spliced;
            }
        }
        return message;
    }

    private static void number(byte[] message, int at, int value) {
        for (int i = 0; i < Integer.BYTES && at + i < message.length; i++) {
            message[at + i] = (byte) (value >>> (24 - Byte.SIZE * i));
        }
    }
}
