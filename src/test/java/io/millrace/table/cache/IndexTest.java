package io.millrace.table.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.memory.OffHeap;
import java.lang.foreign.MemorySegment;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class IndexTest {

    /** Tags that are few, and differ in their lowest bits, so that many are alike. */
    private static long tag(int number) {
        return number == 0 ? Index.EMPTY : 0x80 | (number - 1);
    }

    @Property
    void shouldReportWhichSlotsHaveATag(
            @ForAll @Size(7) List<@IntRange(max = 4) Integer> tags,
            @ForAll @IntRange(max = 49) int elsewhere,
            @ForAll @IntRange(max = 4) int wanted) {
        MemorySegment bucket = OffHeap.allocate(Index.BUCKET_BYTES);
        Index.addElsewhere(bucket, 0, elsewhere);
        for (int slot = 0; slot < Index.SLOTS; slot++) {
            Index.setTag(bucket, (slot + 1) * 8L, tag(tags.get(slot)));
        }
        long head = Index.get(bucket, 0);
        assertThat(Index.elsewhere(head)).isEqualTo(elsewhere);

        int reported = 0;
        boolean first = true;
        for (long matches = Index.matches(head, tag(wanted)); matches != 0; matches &= matches - 1) {
            int slot = (int) Index.offset(matches) / 8 - 1;
            assertThat(slot).isBetween(0, Index.SLOTS - 1);
            reported |= 1 << slot;
            if (first || wanted == 0) {
                assertThat(tags.get(slot)).isEqualTo(wanted);
            }
            first = false;
        }
        for (int slot = 0; slot < Index.SLOTS; slot++) {
            if (tags.get(slot) == wanted) {
                assertThat(reported & (1 << slot)).isNotZero();
            }
        }
    }

    @Property
    void shouldNeverGiveAnEntryTheTagOfAnEmptySlot(@ForAll long hash) {
        assertThat(Index.tag(hash)).isBetween(0x80L, 0xFFL);
    }

    @Property
    void shouldKeepTagsWhereCountsGoWrong(@ForAll @IntRange(min = -300, max = 300) int howMany) {
        MemorySegment bucket = OffHeap.allocate(Index.BUCKET_BYTES);
        Index.setTag(bucket, 8, 0x80);
        Index.addElsewhere(bucket, 0, howMany);
        assertThat(Index.get(bucket, 0) >>> 8).isEqualTo(0x80);
    }
}
