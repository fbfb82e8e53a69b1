package io.millrace.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SeededHashTest {

    private static final int SLOTS = 1 << 10;
    /** Random hashes of as many keys as slots put 20 keys into one slot in less than one of 10<sup>12</sup> trials. */
    private static final int IN_ONE_SLOT_MAX = 20;

    private static int fullest(long[] hashes, int shift) {
        int[] slots = new int[SLOTS];
        int fullest = 0;
        for (long hash : hashes) {
            fullest = Math.max(fullest, ++slots[(int) (hash >>> shift) & (SLOTS - 1)]);
        }
        return fullest;
    }

    private static void requireSpread(long[] hashes) {
        assertThat(fullest(hashes, Long.SIZE - 10)).isLessThan(IN_ONE_SLOT_MAX);
        assertThat(fullest(hashes, Integer.SIZE)).isLessThan(IN_ONE_SLOT_MAX);
        assertThat(fullest(hashes, Integer.SIZE - 10)).isLessThan(IN_ONE_SLOT_MAX);
        assertThat(fullest(hashes, 0)).isLessThan(IN_ONE_SLOT_MAX);
    }

    /** Keys that differ in a few neighbouring bits only, wherever these are: dense ones, and those of equal steps. */
    @Property(tries = 500)
    void shouldSpreadKeysOfEqualStepsInAllBitsThatTablesUse(
            @ForAll long seed, @ForAll long first, @ForAll @IntRange(max = 54) int bits) {
        SeededHash hash = SeededHash.of(seed);
        long[] hashes = new long[SLOTS];
        for (int i = 0; i < SLOTS; i++) {
            hashes[i] = hash.hash(first + ((long) i << bits));
        }
        requireSpread(hashes);
    }

    @Property(tries = 500)
    void shouldSpreadTextsThatDifferInAnyTwoBytes(
            @ForAll long seed, @ForAll @IntRange(min = 2, max = 40) int length, @ForAll Random random) {
        SeededHash hash = SeededHash.of(seed);
        byte[] text = new byte[length + 3];
        random.nextBytes(text);
        int one = random.nextInt(length);
        int other = (one + 1 + random.nextInt(length - 1)) % length;
        long[] hashes = new long[SLOTS];
        for (int i = 0; i < SLOTS; i++) {
            text[3 + one] = (byte) i;
            text[3 + other] = (byte) (i >>> 8);
            hashes[i] = hash.hash(text, 3, length);
        }
        requireSpread(hashes);
    }

    /** What undoes the first word without a product of 128 bits, whatever the multiplier: its highest bit. */
    @Property(tries = 500)
    void shouldNotLetAWordUndoTheOneBefore(@ForAll long seed, @ForAll long first, @ForAll long second) {
        SeededHash hash = SeededHash.of(seed);
        Set<Long> hashes = new HashSet<>();
        for (long undo :
                new long[] {0, Long.MIN_VALUE, Long.MIN_VALUE >>> 32, Long.MIN_VALUE | Long.MIN_VALUE >>> 32}) {
            byte[] text = ByteBuffer.allocate(16)
                    .putLong(undo == 0 ? first : first ^ Long.MIN_VALUE)
                    .putLong(second ^ undo)
                    .array();
            hashes.add(hash.hash(text, 0, text.length));
        }
        assertThat(hashes).hasSize(4);
    }

    @Property
    void shouldGiveDifferentNumbersDifferentHashes(@ForAll long seed, @ForAll long wanted) {
        assertThat(SeededHash.of(seed).hash(HostileKeys.withHash(seed, wanted))).isEqualTo(wanted);
    }

    @Test
    void shouldHaveAnotherSeedEachTimeAndTheSameHashByTheSameSeed() {
        SeededHash one = SeededHash.random();
        assertThat(SeededHash.random().seed()).isNotEqualTo(one.seed());
        assertThat(SeededHash.of(one.seed()).hash(7)).isEqualTo(one.hash(7));
        assertThat(SeededHash.of(one.seed() + 1).hash(7)).isNotEqualTo(one.hash(7));
    }

    @Test
    void shouldDistinguishTextsOfDifferentLengths() {
        SeededHash hash = SeededHash.random();
        Set<Long> hashes = new HashSet<>();
        for (int length = 0; length < 40; length++) {
            hashes.add(hash.hash(new byte[40], 0, length));
        }
        assertThat(hashes).hasSize(40);
    }

    /** Each word of the bytes, then the bytes that remain, as one number. */
    @Test
    void shouldHashBytesByWordsAndTheRest() {
        SeededHash hash = SeededHash.of(7);
        byte[] bytes = new byte[48];
        new Random(7).nextBytes(bytes);
        for (int at = 0; at < Long.BYTES; at++) {
            for (int length = 0; length <= bytes.length - at; length++) {
                long state = length;
                ByteBuffer words = ByteBuffer.wrap(bytes, at, length);
                while (words.remaining() >= Long.BYTES) {
                    state = hash.fold(state, words.getLong());
                }
                long rest = 0;
                while (words.hasRemaining()) {
                    rest = (rest << Byte.SIZE) | (words.get() & 0xFF);
                }
                assertThat(hash.hash(bytes, at, length))
                        .as("%d bytes at %d", length, at)
                        .isEqualTo(hash.hash(hash.fold(state, rest)));
            }
        }
    }
}
