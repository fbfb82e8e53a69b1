package io.millrace.codec.compact;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the elements of a repeating part of compact bytes. An element after the one found last is found by skipping
 * those between; the first step back makes an index of all. Thread-safe.
 */
public final class CompactElements {

    private static final VarHandle NEXT = next();

    private final byte[] bytes;
    private final @Nullable CompactValueReader bare;
    private final String path;
    private final int first;
    private final int end;
    private final int count;

    /** Number and offset of the element after the one found last, in one word, so that threads see both or neither. */
    @SuppressWarnings("UnusedVariable") // read through NEXT
    private long next;

    private @Nullable Offsets offsets;

    /** A record, so that other threads see the offsets as they were when it was created. */
    private record Offsets(int[] values) {}

    /**
     * @param at offset of the part, which an index gave
     * @param bare reader of the elements if they are single values, else null
     * @param path full path, for messages
     * @throws IllegalArgumentException if the part ends outside of the bytes, or can't have as many elements
     */
    public CompactElements(byte[] bytes, int at, @Nullable CompactValueReader bare, String path) {
        this.bytes = bytes;
        this.bare = bare;
        this.path = path;
        this.end = CompactWalk.partEnd(bytes, at, bytes.length, path);
        int from = at + Varint.length(bytes[at]);
        this.first = CompactWalk.varintEnd(bytes, from, end, path);
        long elements = Varint.get(bytes, from);
        if (elements < 0 || elements > end - first) {
            throw CompactWalk.truncated(path, at);
        }
        this.count = (int) elements;
        this.next = first;
    }

    private static VarHandle next() {
        try {
            return MethodHandles.lookup().findVarHandle(CompactElements.class, "next", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Returns the number of elements. */
    public int count() {
        return count;
    }

    /**
     * Returns the offset of an element.
     *
     * @throws IndexOutOfBoundsException if there is no such element
     * @throws IllegalArgumentException if the element, or one before it, ends outside of the part
     */
    public int offset(int index) {
        Objects.checkIndex(index, count);
        Offsets indexed = offsets;
        if (indexed != null) {
            return indexed.values()[index];
        }
        long known = (long) NEXT.getOpaque(this);
        int element = (int) (known >>> Integer.SIZE);
        if (index < element) {
            return all()[index];
        }
        int at = (int) known;
        int past = end(at);
        for (; element < index; element++) {
            at = past;
            past = end(at);
        }
        NEXT.setOpaque(this, (long) (index + 1) << Integer.SIZE | past);
        return at;
    }

    private int[] all() {
        int[] all = new int[count];
        int at = first;
        for (int i = 0; i < count; i++) {
            all[i] = at;
            at = end(at);
        }
        offsets = new Offsets(all);
        return all;
    }

    private int end(int at) {
        return bare == null ? CompactWalk.partEnd(bytes, at, end, path) : bare.end(bytes, at, end);
    }
}
