package io.millrace.codec.compact;

import io.millrace.schema.CompactGroup;
import java.lang.invoke.MethodHandle;
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
 * <p>A boolean has no bytes: its entry is {@link MemberSteps#FALSE} or {@link MemberSteps#TRUE}. Immutable, so safe for
 * use by many threads; the pass allocates the index only, and never reads outside the record.
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
        MemberSteps root,
        int slots,
        List<MethodHandle> finders,
        @Nullable MethodHandle locator,
        Map<String, Integer> byPath) {

    /** An index is faster for elements with more members. */
    private static final int MAX_SMALL = 8;

    private static final int MAX_NARROW = 0xFF;
    private static final int MAX_MIDDLE = 0xFFFF;

    /**
     * Returns the scope of a record or of the elements of a part.
     *
     * @param group members
     * @param element whether these are the members of an element
     */
    public static CompactScope of(CompactGroup group, boolean element) {
        Map<String, Integer> byPath = new HashMap<>();
        MemberSteps root = MemberSteps.of(group, byPath);
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
        return element ? CompactWalk.partEnd(bytes, at, bytes.length, "an element") : bytes.length;
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

    private static void locate(MemberSteps members, byte[] bytes, int start, int at, int end, byte[] index, int width) {
        int next = CompactWalk.bitsEnd(bytes, at, end, start);
        int bitBytes = next - at;
        for (MemberSteps.Step step : members.steps()) {
            if (step.presenceBit() >= 0 && !CompactWalk.bit(bytes, at, bitBytes, step.presenceBit())) {
                continue;
            }
            if (step.valueBit() >= 0) {
                FinderSteps.entry(
                        index,
                        step.slot(),
                        width,
                        CompactWalk.bit(bytes, at, bitBytes, step.valueBit()) ? MemberSteps.TRUE : MemberSteps.FALSE);
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
}
