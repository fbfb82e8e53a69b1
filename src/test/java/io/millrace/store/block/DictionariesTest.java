package io.millrace.store.block;

import static io.millrace.hash.HostileKeys.longestRun;
import static io.millrace.hash.HostileKeys.withProduct;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RawBytes;
import io.millrace.store.block.ColumnDirectory.Entry;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DictionariesTest {

    private static final int ENTRIES = NumberDictionary.ENTRIES_MAX;
    /** A quarter of the slots is in use: runs of random values are of about 10. */
    private static final int RUN_MAX = 64;

    @Test
    void shouldSpreadNumbersWhoseProductsWithTheGoldenRatioAreSmall() {
        long[] numbers = new long[ENTRIES];
        for (int i = 0; i < ENTRIES; i++) {
            numbers[i] = withProduct(i / 8);
        }
        NumberDictionary few = new NumberDictionary();
        assertThat(few.collect(numbers, ENTRIES)).isTrue();
        assertThat(few.size()).isEqualTo(ENTRIES / 8);

        // No sample is taken of fewer numbers, so that all of these become entries.
        for (int i = 0; i < ENTRIES; i++) {
            numbers[i] = withProduct(i);
        }
        NumberDictionary dictionary = new NumberDictionary();
        assertThat(dictionary.collect(numbers, ENTRIES - 1)).isTrue();
        assertThat(dictionary.size()).isEqualTo(ENTRIES - 1);
        assertThat(longestRun(dictionary, "ordinals", -1)).isLessThan(RUN_MAX);
        checkWritten(dictionary, numbers, ENTRIES - 1);
    }

    private static void checkWritten(NumberDictionary dictionary, long[] numbers, int count) {
        long[] entries = Arrays.stream(numbers, 0, count).sorted().distinct().toArray();
        Entry entry = new Entry();
        entry.base = dictionary.smallest();
        entry.power = Long.SIZE;
        entry.width = Packed.width(entries.length - 1L);
        int codesAt = (int) Packed.length(entry.power, entries.length);
        byte[] block = new byte[codesAt + (int) Packed.length(entry.width, count)];
        dictionary.write(count, entry, block, 0);
        for (int i = 0; i < entries.length; i++) {
            assertThat(RawBytes.getLongLe(block, Long.BYTES * i)).isEqualTo(entries[i] - entries[0]);
        }
        for (int i = 0; i < count; i++) {
            assertThat(entries[(int) Packed.get(block, codesAt, entry.width, i)])
                    .isEqualTo(numbers[i]);
        }
    }

    /** Texts of "Aa" and "BB" have one hash by powers of 31. */
    @Test
    void shouldSpreadTextsOfOneHashCode() {
        int blocks = 8;
        int bytes = 2 * blocks;
        byte[] rows = new byte[ENTRIES * bytes];
        for (int i = 0; i < ENTRIES; i++) {
            for (int block = 0; block < blocks; block++) {
                boolean one = (i >>> block & 1) != 0;
                rows[i * bytes + 2 * block] = (byte) (one ? 'A' : 'B');
                rows[i * bytes + 2 * block + 1] = (byte) (one ? 'a' : 'B');
            }
        }
        BytesDictionary dictionary = new BytesDictionary();
        assertThat(dictionary.collect(rows, 0, bytes, ENTRIES - 1, bytes)).isTrue();
        assertThat(dictionary.size()).isEqualTo(ENTRIES - 1);
        assertThat(longestRun(dictionary, "slots", -1)).isLessThan(RUN_MAX);
    }
}
