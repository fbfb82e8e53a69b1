package io.millrace.codec.tagged;

import io.millrace.codec.RawBytes;
import io.millrace.schema.ElementForm;
import java.util.Arrays;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** A sequence of elements, and the slots that read them. */
final class Level {

    private static final int SMALL = 256;
    private static final long ANY = -1;

    final int headerLength;
    final boolean lengthOfAll;
    final int selectorLength;
    private final long vendor;
    private final int tagBytes;
    private final int lengthBytes;
    private final @Nullable Entry[] byTag;
    private final long[] tags;
    private final Entry[] entries;

    /** The slots that read the elements of one tag. */
    static final class Entry {
        /** Index of the counter of these elements. */
        final int counted;

        final Slot[] slots;
        final Level[] inner;

        Entry(int counted, Slot[] slots, Level[] inner) {
            this.counted = counted;
            this.slots = slots;
            this.inner = inner;
        }
    }

    /** @param vendor required first bytes of the value around the elements, or null */
    Level(ElementForm form, @Nullable Long vendor, int selectorLength, SortedMap<Long, Entry> wanted) {
        this.headerLength = form.headerLength();
        this.lengthOfAll = form.lengthOfAll();
        this.selectorLength = selectorLength;
        this.vendor = vendor == null ? ANY : vendor;
        this.tagBytes = form.tagBytes();
        this.lengthBytes = form.lengthBytes();
        this.byTag = new Entry[tagBytes == 1 ? SMALL : 0];
        this.tags = wanted.keySet().stream().mapToLong(Long::longValue).toArray();
        this.entries = wanted.values().toArray(Entry[]::new);
        if (tagBytes == 1) {
            wanted.forEach((tag, entry) -> {
                if (tag < SMALL) {
                    byTag[tag.intValue()] = entry;
                }
            });
        }
    }

    /** Returns the length that the element at an offset states. */
    long length(byte[] bytes, int at) {
        return lengthBytes == 1
                ? bytes[at + tagBytes] & 0xFF
                : TaggedFinder.unsigned(bytes, at + tagBytes, lengthBytes);
    }

    /** Returns the entry of the element at an offset, or null if no slot reads it. */
    @Nullable
    Entry find(byte[] bytes, int at) {
        if (tagBytes == 1) {
            return byTag[bytes[at] & 0xFF];
        }
        int index = Arrays.binarySearch(tags, TaggedFinder.unsigned(bytes, at, tagBytes));
        return index < 0 ? null : entries[index];
    }

    /** Returns whether the value at an offset has the vendor of these elements. */
    boolean selects(byte[] bytes, int at) {
        return vendor == ANY || (RawBytes.getInt(bytes, at) & 0xFFFF_FFFFL) == vendor;
    }
}
