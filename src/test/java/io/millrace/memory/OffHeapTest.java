package io.millrace.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OffHeapTest {

    @ParameterizedTest
    @ValueSource(
            longs = {1, 4096, LargePages.SIZE - 1, LargePages.SIZE, LargePages.SIZE + 1, 3 * LargePages.SIZE + 4097})
    void shouldAllocateZeroedAlignedMemoryOfAnyLength(long bytes) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = OffHeap.allocate(arena, bytes);

            boolean large = LargePages.available() && bytes >= LargePages.SIZE;
            assertThat(memory.byteSize()).isEqualTo(bytes);
            assertThat(memory.address() % (large ? LargePages.SIZE : OffHeap.ALIGNMENT))
                    .isZero();
            assertThat(memory.mismatch(MemorySegment.ofArray(new byte[(int) bytes])))
                    .isEqualTo(-1);
            memory.fill((byte) 7);
            assertThat(memory.get(ValueLayout.JAVA_BYTE, bytes - 1)).isEqualTo((byte) 7);
        }
    }

    @Test
    void shouldSayThatTheSystemHasNoMore() {
        try (Arena arena = Arena.ofShared()) {
            assertThatThrownBy(() -> OffHeap.allocate(arena, Long.MAX_VALUE / 2))
                    .isInstanceOf(OutOfMemoryError.class);
        }
    }

    @Test
    void shouldGiveBackWhatNothingRefersTo() {
        assumeThat(LargePages.available()).isTrue();
        List<Long> addresses = LongStream.range(0, 20)
                .mapToObj(_ -> OffHeap.allocate(LargePages.SIZE).address())
                .toList();

        // Others in this process may be given what was given back.
        await().until(() -> {
            System.gc();
            return addresses.stream().filter(OffHeapTest::isMapped).count() < addresses.size() / 2;
        });
    }

    private static boolean isMapped(long address) {
        try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.map(line -> line.substring(0, line.indexOf(' ')).split("-", -1))
                    .anyMatch(range -> Long.compareUnsigned(Long.parseUnsignedLong(range[0], 16), address) <= 0
                            && Long.compareUnsigned(address, Long.parseUnsignedLong(range[1], 16)) < 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
