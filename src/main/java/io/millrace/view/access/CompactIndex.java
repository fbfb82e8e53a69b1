package io.millrace.view.access;

import io.millrace.codec.compact.CompactScope;
import java.lang.invoke.VarHandle;

/** Finds the members of compact views. Stateless. */
public final class CompactIndex {

    private CompactIndex() {}

    /** Returns the offset of a member, or 0 if it is missing. */
    static int entry(BinaryView view, CompactScope scope, int slot) {
        return scope.small()
                ? scope.find(view.millraceBytes(), view.millraceAt(), slot)
                : scope.offset(of(view, scope), slot);
    }

    /** Returns the index of a view, which the first getter creates. */
    public static byte[] of(BinaryView view, CompactScope scope) {
        byte[] index = (byte[]) view.millraceState();
        if (index == null) {
            index = scope.index(view.millraceBytes(), view.millraceAt());
            // Threads that see the index also see its content, as with a final field.
            VarHandle.releaseFence();
            view.millraceState(index);
        }
        return index;
    }
}
