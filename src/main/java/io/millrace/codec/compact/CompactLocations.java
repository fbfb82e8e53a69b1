package io.millrace.codec.compact;

import io.millrace.codec.compact.MemberSteps.Step;
import io.millrace.codec.record.FieldBytes;
import io.millrace.codec.record.FieldLocator;
import io.millrace.schema.CompactGroup;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.CompactMember;
import io.millrace.schema.CompactPart;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Locates the values and parts of a compact record, for display. A part comes before what is in it, and its bytes
 * include these. The bits of a group that are not written are 0: a boolean among them is at the last byte of the bits.
 * Immutable.
 */
final class CompactLocations implements FieldLocator {

    /** Further values are not located, so that a display stays small. */
    private static final int MAX_LOCATED = 2000;

    private final Scope record;

    /**
     * The members of a record or of the elements of a list.
     *
     * @param lists lists by path
     */
    private record Scope(CompactScope scope, Map<String, Elements> lists) {

        static Scope of(CompactGroup group, boolean element) {
            Map<String, Elements> lists = new HashMap<>();
            addLists(group, lists);
            return new Scope(CompactScope.of(group, element), Map.copyOf(lists));
        }

        private static void addLists(CompactGroup group, Map<String, Elements> lists) {
            for (CompactMember member : group.members()) {
                if (member instanceof CompactPart part && part.repeats()) {
                    lists.put(part.path(), Elements.of(part));
                } else if (member instanceof CompactPart part) {
                    addLists(part.group(), lists);
                }
            }
        }
    }

    /**
     * The elements of a list: single values, or groups.
     *
     * @param inner members of an element
     * @param bare reader of single values, or null
     */
    private record Elements(Scope inner, @Nullable CompactValueReader bare) {

        static Elements of(CompactPart part) {
            Scope inner = Scope.of(part.group(), true);
            return new Elements(
                    inner, part.bare() ? inner.scope.root().steps().getFirst().value() : null);
        }
    }

    CompactLocations(CompactLayout layout) {
        record = Scope.of(layout.root(), false);
    }

    @Override
    public List<FieldBytes> find(byte[] bytes, int start, int end) {
        List<FieldBytes> found = new ArrayList<>();
        byte[] alone = Arrays.copyOfRange(bytes, start, end);
        locate(record, alone, 0, "", found);
        return found;
    }

    /** @param name name of the element, such as {@code legs[0]}; empty for the record */
    private static void locate(Scope scope, byte[] bytes, int at, String name, List<FieldBytes> found) {
        byte[] index = scope.scope.index(bytes, at);
        int from = scope.scope.element() ? at + Varint.length(bytes[at]) : at;
        members(scope, scope.scope.root(), index, bytes, at, from, name, found);
    }

    /**
     * @param at offset that the index is relative to
     * @param bits offset of the bits of the group
     */
    private static void members(
            Scope scope,
            MemberSteps members,
            byte[] index,
            byte[] bytes,
            int at,
            int bits,
            String name,
            List<FieldBytes> found) {
        int lastBits = bits;
        while (bytes[lastBits] < 0) {
            lastBits++;
        }
        for (Step step : members.steps()) {
            int offset = scope.scope.offset(index, step.slot());
            if (offset == 0 || found.size() >= MAX_LOCATED) {
                continue;
            }
            int from = at + offset;
            String path = path(name, step.path());
            if (step.valueBit() >= 0) {
                found.add(new FieldBytes(path, Math.min(bits + step.valueBit() / 7, lastBits), 1));
            } else if (step.value() != null) {
                found.add(new FieldBytes(path, from, step.value().end(bytes, from, bytes.length) - from));
            } else {
                found.add(new FieldBytes(path, from, CompactWalk.partEnd(bytes, from, bytes.length, path) - from));
                Elements elements = scope.lists.get(step.path());
                if (elements != null) {
                    elements(elements, bytes, from, path, found);
                } else if (step.inner() != null) {
                    int inner = from + Varint.length(bytes[from]);
                    members(scope, step.inner(), index, bytes, at, inner, name, found);
                }
            }
        }
    }

    private static void elements(Elements list, byte[] bytes, int at, String path, List<FieldBytes> found) {
        CompactElements all = new CompactElements(bytes, at, list.bare, path);
        for (int i = 0; i < all.count() && found.size() < MAX_LOCATED; i++) {
            int from = all.offset(i);
            String name = path + "[" + i + "]";
            int end = list.bare == null
                    ? CompactWalk.partEnd(bytes, from, bytes.length, name)
                    : list.bare.end(bytes, from, bytes.length);
            found.add(new FieldBytes(name, from, end - from));
            if (list.bare == null) {
                locate(list.inner, bytes, from, name, found);
            }
        }
    }

    /** Returns the path of a member of an element, with the indexes of the lists that contain it. */
    private static String path(String name, String schemaPath) {
        String path = schemaPath.endsWith(CompactPart.ELEMENTS)
                ? schemaPath.substring(0, schemaPath.length() - CompactPart.ELEMENTS.length())
                : schemaPath;
        int inList = path.lastIndexOf(CompactPart.ELEMENTS);
        return inList < 0 ? path : name + path.substring(inList + CompactPart.ELEMENTS.length());
    }
}
