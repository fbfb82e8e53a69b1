package daybook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.memory.OffHeap;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AppendOnlyMemoryTest {

    private static final long BYTES = 1_000_003;

    @Test
    void shouldGivePiecesThatDoNotOverlap() {
        try (AppendOnlyMemory memory = new AppendOnlyMemory()) {
            List<MemorySegment> pieces = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                MemorySegment piece = memory.take(BYTES);
                pieces.add(piece.fill((byte) i));
            }

            for (int i = 0; i < 50; i++) {
                MemorySegment piece = pieces.get(i);
                assertThat(piece.byteSize()).isEqualTo(BYTES);
                assertThat(piece.address() % OffHeap.ALIGNMENT).isZero();
                assertThat(piece.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) i);
                assertThat(piece.get(ValueLayout.JAVA_BYTE, BYTES - 1)).isEqualTo((byte) i);
            }
            assertThat(memory.taken()).isEqualTo(50 * BYTES);
            assertThat(memory.reserved()).isBetween(memory.taken(), 3 * memory.taken());
        }
    }

    @Test
    void shouldGiveTheSameMemoryAgainAfterClear() {
        try (AppendOnlyMemory memory = new AppendOnlyMemory()) {
            List<Long> first = addresses(memory);
            long reserved = memory.reserved();

            memory.clear();

            assertThat(memory.taken()).isZero();
            assertThat(addresses(memory)).isEqualTo(first);
            assertThat(memory.reserved()).isEqualTo(reserved);
        }
    }

    @Test
    void shouldGiveAsMuchAsAStretchHolds() {
        try (AppendOnlyMemory memory = new AppendOnlyMemory()) {
            assertThat(memory.take(AppendOnlyMemory.LONGEST_STRETCH).byteSize())
                    .isEqualTo(AppendOnlyMemory.LONGEST_STRETCH);
            assertThat(memory.take(0).byteSize()).isZero();
            assertThatThrownBy(() -> memory.take(AppendOnlyMemory.LONGEST_STRETCH + 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("Invalid length '67108865'. Use 0 to 67108864 bytes.");
            assertThatThrownBy(() -> memory.take(-1)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldNotBeReadableOnceClosed() {
        AppendOnlyMemory memory = new AppendOnlyMemory();
        MemorySegment piece = memory.take(BYTES);

        memory.close();

        assertThatThrownBy(() -> piece.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> memory.take(AppendOnlyMemory.LONGEST_STRETCH))
                .isInstanceOf(IllegalStateException.class);
    }

    private static List<Long> addresses(AppendOnlyMemory memory) {
        List<Long> addresses = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            addresses.add(memory.take(BYTES).address());
        }
        return addresses;
    }
}
