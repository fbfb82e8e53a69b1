package io.millrace.codec.tagged;

import io.millrace.codec.RawBytes;
import io.millrace.schema.ElementForm;
import java.util.Arrays;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Elements that lie one behind the other, and what is wanted of them. */
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

    /** What is wanted of the elements of one tag. */
    static final class Entry {
        /** Where their number is counted. */
        final int counted;

        final Slot[] slots;
        final Level[] inner;

        Entry(int counted, Slot[] slots, Level[] inner) {
            this.counted = counted;
            this.slots = slots;
            this.inner = inner;
        }
    }

    /** @param vendor what the first bytes of the value around the elements must be, or null */
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

    /** The length that the element at a place says it has. */
    long length(byte[] bytes, int at) {
        return lengthBytes == 1
                ? bytes[at + tagBytes] & 0xFF
                : TaggedFinder.unsigned(bytes, at + tagBytes, lengthBytes);
    }

    /** What is wanted of the element at a place, or null where nothing is. */
    @Nullable
    Entry find(byte[] bytes, int at) {
        if (tagBytes == 1) {
            return byTag[bytes[at] & 0xFF];
        }
        int index = Arrays.binarySearch(tags, TaggedFinder.unsigned(bytes, at, tagBytes));
        return index < 0 ? null : entries[index];
    }

    /** Whether the value at a place is of the vendor whose elements these are. */
    boolean selects(byte[] bytes, int at) {
        return vendor == ANY || (RawBytes.getInt(bytes, at) & 0xFFFF_FFFFL) == vendor;
    }
}
