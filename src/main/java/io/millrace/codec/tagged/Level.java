package io.millrace.codec.tagged;

import io.millrace.schema.Container;
import io.millrace.schema.ElementForm;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A sequence of elements, and the slots that read them. Immutable.
 *
 * @param form form of the elements
 * @param container element that contains them, or null if the record does
 * @param tags tags of the elements that slots read, ascending
 * @param entries what reads them, in the order of the tags
 */
record Level(ElementForm form, @Nullable Container container, long[] tags, List<Entry> entries) {

    /**
     * The slots that read the elements of one tag.
     *
     * @param counter index of the counter of these elements
     * @param slots slots that read the value
     * @param inner levels of the elements in the value
     */
    record Entry(int counter, List<Slot> slots, List<Level> inner) {

        /** Returns the index of the last element that a field is in, or -1 if fields only count them. */
        int lastOccurrence() {
            return slots.stream()
                    .filter(slot -> !slot.counts())
                    .mapToInt(slot -> slot.place().occurrence())
                    .max()
                    .orElse(-1);
        }
    }

    static Level of(ElementForm form, @Nullable Container container, SortedMap<Long, Entry> wanted) {
        return new Level(
                form,
                container,
                wanted.keySet().stream().mapToLong(Long::longValue).toArray(),
                List.copyOf(wanted.values()));
    }

    /** Returns the entry of a tag, or null if no slot reads its elements. */
    @Nullable
    Entry find(long tag) {
        int index = Arrays.binarySearch(tags, tag);
        return index < 0 ? null : entries.get(index);
    }

    /** Returns the number of bytes in the value of the container before the elements. */
    int selectorLength() {
        return container == null ? 0 : container.selectorLength();
    }

    /** Returns the bytes that the value of the container must begin with, or null if it may have any. */
    @Nullable
    Long vendor() {
        return container == null ? null : container.vendor();
    }
}
