package io.millrace.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.schema.IntStorage;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RawBytesTest {

    private static final int AT = 3;
    private static final int TO = 5;

    @Test
    void shouldCopyEveryLengthAndNothingElse() {
        for (int length = 0; length < 300; length++) {
            byte[] from = random(length + AT);
            byte[] into = random(length + 2 * TO);
            byte[] expected = into.clone();
            System.arraycopy(from, AT, expected, TO, length);
            RawBytes.copy(from, AT, into, TO, length);
            assertThat(into).as("length %d", length).isEqualTo(expected);
        }
    }

    @Test
    void shouldRefuseToCopyPastTheEndOfAnArray() {
        for (int length : new int[] {1, 8, 39, 128, 129}) {
            byte[] large = new byte[length + AT];
            byte[] small = new byte[length + AT - 1];
            assertThatThrownBy(() -> RawBytes.copy(small, AT, large, AT, length))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> RawBytes.copy(large, AT, small, AT, length))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void shouldReadAllPlacesAsItReadsOne() {
        int stride = 11;
        int count = 50;
        byte[] bytes = random(AT + count * stride);
        for (IntStorage storage : storages()) {
            long[] values = new long[count];
            RawBytes.getAll(bytes, AT, stride, count, storage, values, 0);
            for (int i = 0; i < count; i++) {
                assertThat(values[i]).as("%s", storage).isEqualTo(RawBytes.get(bytes, AT + i * stride, storage));
            }
        }
    }

    /** Among bytes that differ from the value in one bit, or follow it. */
    @Test
    void shouldFindTheFirstByteOfAValue() {
        Random random = new Random(3);
        for (byte value : new byte[] {'\n', 0, -1, (byte) 0x80}) {
            for (int i = 0; i < 20_000; i++) {
                byte[] bytes = random(40);
                for (int at = 0; at < bytes.length; at++) {
                    bytes[at] = (byte) (random.nextInt(20) == 0 ? value : value ^ (1 << random.nextInt(8)));
                }
                int from = random.nextInt(20);
                int to = from + random.nextInt(20);
                int expected = from;
                while (expected < to && bytes[expected] != value) {
                    expected++;
                }
                assertThat(RawBytes.indexOf(bytes, from, to, value)).isEqualTo(expected == to ? -1 : expected);
            }
        }
    }

    private static List<IntStorage> storages() {
        List<IntStorage> storages = new ArrayList<>();
        for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
            for (int width = 1; width <= 8; width++) {
                storages.add(IntStorage.of(width, true, order));
                storages.add(IntStorage.of(width, false, order));
                storages.add(IntStorage.of(width, true, order).slice(2, 5));
            }
        }
        return storages;
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }
}
