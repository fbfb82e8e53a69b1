package io.millrace.codec.compact;

import io.millrace.schema.CompactGroup;
import io.millrace.schema.CompactMember;
import io.millrace.schema.CompactPart;
import io.millrace.schema.CompactValue;
import io.millrace.schema.FieldType;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the members of a compact record, or of one element of a repeating part, in place. One pass over the bytes gives
 * an <em>index</em>: for each member its offset from the start, or 0 if it is missing. The index has one byte per
 * member if all offsets fit, else two or four. Elements of repeating parts have scopes of their own.
 *
 * <pre>
 * record    | bits | value | value | length, group: bits, value ... | length, list: count, element ... |
 * element   | length | bits | value | ...
 * </pre>
 *
 * <p>A boolean has no bytes: its entry is {@link #FALSE} or {@link #TRUE}. Immutable, so safe for use by many threads;
 * the pass allocates the index only, and never reads outside the record.
 *
 * @param element whether the bytes begin with the length of an element
 * @param root members
 * @param slots number of entries of the index
 * @param finders code that finds each member without an index ({@link MemberFinderClass}), which is faster for elements
 *     with few members; else empty
 * @param locator code that makes the index ({@link MemberIndexClass}), or null
 * @param byPath entry of each member
 */
public record CompactScope(
        boolean element,
        Members root,
        int slots,
        List<MethodHandle> finders,
        @Nullable MethodHandle locator,
        Map<String, Integer> byPath) {

    /** Entry of a boolean that is false. */
    public static final int FALSE = 1;

    /** Entry of a boolean that is true. */
    public static final int TRUE = 2;

    /** An index is faster for elements with more members. */
    private static final int MAX_SMALL = 8;

    private static final int MAX_NARROW = 0xFF;
    private static final int MAX_MIDDLE = 0xFFFF;

    /** Members of a group, in the order of the bytes. */
    public record Members(List<Step> steps) {}

    /**
     * What to do with a member.
     *
     * @param slot entry of the index
     * @param path full path
     * @param presenceBit bit that is set if the member is there, or -1 if it always is
     * @param valueBit bit that is the value of a boolean, or -1
     * @param number whether the value is a single varint
     * @param value reader of a value, or null for a part
     * @param inner members of a group that does not repeat, or null
     */
    public record Step(
            int slot,
            String path,
            int presenceBit,
            int valueBit,
            boolean number,
            @Nullable CompactValueReader value,
            @Nullable Members inner) {

        /** Returns the offset past the member, which must not exceed an offset. */
        public int end(byte[] bytes, int at, int end) {
            if (number) {
                return varintEnd(bytes, at, end, path);
            }
            return value != null ? value.end(bytes, at, end) : partEnd(bytes, at, end, path);
        }
    }

    /**
     * Returns the scope of a record or of the elements of a part.
     *
     * @param group members
     * @param element whether these are the members of an element
     */
    public static CompactScope of(CompactGroup group, boolean element) {
        Map<String, Integer> byPath = new HashMap<>();
        Members root = members(group, byPath);
        return new CompactScope(element, root, byPath.size(), List.of(), null, Map.copyOf(byPath));
    }

    /**
     * Returns the same scope, with generated code: code that finds members without an index if the scope is small, or
     * else code that makes the index.
     */
    public CompactScope withFinders() {
        boolean few = element && slots <= MAX_SMALL && root.steps().stream().allMatch(step -> step.inner() == null);
        return few
                ? new CompactScope(element, root, slots, MemberFinderClass.generate(root.steps()), null, byPath)
                : new CompactScope(element, root, slots, List.of(), MemberIndexClass.generate(root), byPath);
    }

    /** Returns whether to {@linkplain #find find} members one by one, without an index. */
    public boolean small() {
        return !finders.isEmpty();
    }

    private static Members members(CompactGroup group, Map<String, Integer> byPath) {
        List<Step> steps = new ArrayList<>();
        int bits = 0;
        for (CompactMember member : group.members()) {
            int slot = byPath.size();
            byPath.put(member.path(), slot);
            int presence = member.optional() ? bits++ : -1;
            steps.add(
                    switch (member) {
                        case CompactValue value ->
                            new Step(
                                    slot,
                                    value.path(),
                                    presence,
                                    value.isBit() ? bits++ : -1,
                                    value.field().type() instanceof FieldType.Numbered,
                                    CompactValueReader.of(value),
                                    null);
                        case CompactPart part ->
                            new Step(
                                    slot,
                                    part.path(),
                                    presence,
                                    -1,
                                    false,
                                    null,
                                    part.repeats() ? null : members(part.group(), byPath));
                    });
        }
        return new Members(List.copyOf(steps));
    }

    /**
     * Returns the entry of a member.
     *
     * @throws NullPointerException if the scope has no such member
     */
    public int slot(String path) {
        return Objects.requireNonNull(byPath.get(path));
    }

    /** Returns the offset of a member from the start, or 0 if it is missing. */
    public int offset(byte[] index, int slot) {
        return index.length == slots ? index[slot] & 0xFF : wideOffset(index, slot);
    }

    private int wideOffset(byte[] index, int slot) {
        int at = slot * (index.length / slots);
        int offset = 0;
        for (int i = 0; i < index.length / slots; i++) {
            offset = offset << 8 | (index[at + i] & 0xFF);
        }
        return offset;
    }

    /**
     * Returns the end of a record or element.
     *
     * @param at offset of the record, or of the length of the element
     * @throws IllegalArgumentException if an element ends outside the array
     */
    public int end(byte[] bytes, int at) {
        return element ? partEnd(bytes, at, bytes.length, "an element") : bytes.length;
    }

    /**
     * Reads the offsets of all members.
     *
     * @param at offset of the record, which ends where the array does, or of the length of the element
     * @throws IllegalArgumentException if a member ends outside of what contains it
     */
    public byte[] index(byte[] bytes, int at) {
        int end = end(bytes, at);
        int largest = end - at;
        int width = largest <= MAX_NARROW ? 1 : largest <= MAX_MIDDLE ? 2 : Integer.BYTES;
        byte[] index = new byte[slots * width];
        int from = element ? at + Varint.length(bytes[at]) : at;
        if (locator == null || located(locator, bytes, from, end, index, width, at) == FinderSteps.UNEXPECTED) {
            locate(root, bytes, at, from, end, index, width);
        }
        return index;
    }

    private static int located(
            MethodHandle locator, byte[] bytes, int from, int end, byte[] index, int width, int start) {
        try {
            return (int) locator.invokeExact(bytes, from, end, index, width, start);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("Unexpected exception of generated code.", e);
        }
    }

    /**
     * Returns the offset of a member of a small element from the start, or 0 if it is missing. Allocates nothing,
     * unless the element is malformed.
     *
     * @param at offset of the length of the element
     * @throws IllegalArgumentException if a member up to this one ends outside of the element
     */
    public int find(byte[] bytes, int at, int slot) {
        int found = found(finders.get(slot), bytes, at);
        return found == FinderSteps.UNEXPECTED ? offset(index(bytes, at), slot) : found;
    }

    private static int found(MethodHandle finder, byte[] bytes, int at) {
        try {
            return (int) finder.invokeExact(bytes, at);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("Unexpected exception of generated code.", e);
        }
    }

    private static void locate(Members members, byte[] bytes, int start, int at, int end, byte[] index, int width) {
        int next = bitsEnd(bytes, at, end, start);
        int bitBytes = next - at;
        for (Step step : members.steps()) {
            if (step.presenceBit() >= 0 && !bit(bytes, at, bitBytes, step.presenceBit())) {
                continue;
            }
            if (step.valueBit() >= 0) {
                FinderSteps.entry(index, step.slot(), width, bit(bytes, at, bitBytes, step.valueBit()) ? TRUE : FALSE);
                continue;
            }
            FinderSteps.entry(index, step.slot(), width, next - start);
            int from = next;
            next = step.end(bytes, next, end);
            if (step.inner() != null) {
                locate(step.inner(), bytes, start, from + Varint.length(bytes[from]), next, index, width);
            }
        }
    }

    /** Returns the offset past the bits of a group. */
    public static int bitsEnd(byte[] bytes, int at, int end, int start) {
        int next = at;
        do {
            if (next >= end) {
                throw truncated("a group", at - start);
            }
        } while (bytes[next++] < 0);
        return next;
    }

    /** Returns whether a bit of a group is set. */
    public static boolean bit(byte[] bytes, int at, int bitBytes, int index) {
        int in = index / 7;
        return in < bitBytes && (bytes[at + in] >> index % 7 & 1) != 0;
    }

    /** Returns the offset past a part, which begins with the number of its bytes. */
    public static int partEnd(byte[] bytes, int at, int end, String path) {
        if (at < end && bytes[at] >= 0 && bytes[at] < end - at) {
            return at + 1 + bytes[at];
        }
        int from = varintEnd(bytes, at, end, path);
        long length = Varint.get(bytes, at);
        if (length < 0 || length > end - from) {
            throw truncated(path, at);
        }
        return from + (int) length;
    }

    /** Returns the offset past a varint. */
    public static int varintEnd(byte[] bytes, int at, int end, String path) {
        if (at >= end) {
            throw truncated(path, at);
        }
        int next = at + Varint.length(bytes[at]);
        if (next > end) {
            throw truncated(path, at);
        }
        return next;
    }

    static IllegalArgumentException truncated(String path, int at) {
        return new IllegalArgumentException("Truncated record: the value of " + path + ", at byte " + at
                + " of the record, ends outside of what contains it.");
    }
}
