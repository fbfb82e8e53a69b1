package io.millrace.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OffHeapRecordsTest {

    @Test
    void shouldHoldEachRecordInItsPlace() {
        for (int length : new int[] {1, 7, 8, 9, 15, 16, 17, 31, 39, 128, 129, 300}) {
            OffHeapRecords records = new OffHeapRecords(OffHeap.allocate(10L * length + length / 2), length);
            assertThat(records.count()).isEqualTo(10);
            byte[] bytes = new byte[length + 6];
            Random random = new Random(length);
            byte[][] written = new byte[10][];
            for (int i = 9; i >= 0; i--) {
                random.nextBytes(bytes);
                records.put(i, bytes, 3);
                written[i] = Arrays.copyOfRange(bytes, 3, 3 + length);
            }
            for (int i = 0; i < 10; i++) {
                byte[] read = new byte[length + 2];
                records.get(i, read, 1);
                assertThat(Arrays.copyOfRange(read, 1, 1 + length)).isEqualTo(written[i]);
                assertThat(read[0]).isZero();
                assertThat(read[length + 1]).isZero();
                if (length >= 12) {
                    assertThat(records.getLong(i, 4))
                            .isEqualTo(ByteBuffer.wrap(written[i]).getLong(4));
                    assertThat(records.getInt(i, 0))
                            .isEqualTo(ByteBuffer.wrap(written[i]).getInt(0));
                }
            }
        }
    }

    @Test
    void shouldRefuseWhatLiesOutsideOfTheRecord() {
        OffHeapRecords records = new OffHeapRecords(OffHeap.allocate(160), 16);
        assertThatThrownBy(() -> records.getLong(3, 9)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> records.putLong(3, -1, 0)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> records.putInt(10, 0, 0)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> records.getInt(-1, 0)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> records.get(0, new byte[15], 0)).isInstanceOf(IndexOutOfBoundsException.class);
        records.putInt(9, 12, 7);
        assertThat(records.getInt(9, 12)).isEqualTo(7);
    }
}
