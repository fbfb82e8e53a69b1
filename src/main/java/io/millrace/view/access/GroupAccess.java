package io.millrace.view.access;

import io.millrace.codec.BooleanCodec;
import io.millrace.codec.compact.CompactScope;
import io.millrace.codec.shape.RowCopy;
import io.millrace.codec.shape.RowNode;
import io.millrace.codec.shape.Shape.GroupMember;
import io.millrace.view.value.OptionalKind;
import org.jspecify.annotations.Nullable;

/**
 * A group that does not repeat. Its view reads the same bytes as that of the record.
 *
 * @param form form of the group's views
 * @param prototype view that creates those of groups, or null if groups are Java records
 * @param presence codec of the boolean that is true if the group is there, or null
 * @param scope finds members of compact bytes, or null for rows
 * @param optional how the getter shows an absent group
 */
record GroupAccess(
        GroupMember member,
        PartForm form,
        @Nullable BinaryView prototype,
        @Nullable BooleanCodec presence,
        @Nullable CompactScope scope,
        OptionalKind optional)
        implements Access {

    @Override
    public @Nullable Object get(BinaryView view) {
        return optional.wrap(has(view) ? group(view.millraceBytes(), view.millraceAt(), view.millraceState()) : null);
    }

    private Object group(byte[] bytes, int at, @Nullable Object state) {
        return prototype != null ? prototype.millraceNew(bytes, at, state) : form.view(bytes, at, state);
    }

    private boolean has(BinaryView view) {
        if (scope != null) {
            return CompactIndex.entry(view, scope, member.slot()) != 0;
        }
        return presence == null || presence.get(view.millraceBytes(), view.millraceAt());
    }

    @Override
    public void set(BinaryView view, @Nullable Object value) {
        if (view.millraceBytes() == null || !form.mutable()) {
            write(view, value);
            return;
        }
        RowBackup backup =
                RowBackup.of(member.shape(), view.millraceBytes(), view.millraceAt(), (RowNode) view.millraceState());
        boolean written = false;
        try {
            write(view, value);
            written = true;
        } finally {
            if (!written) {
                backup.restore();
            }
        }
    }

    @Override
    public void write(BinaryView view, @Nullable Object value) {
        if (!form.mutable()) {
            Access.super.set(view, value);
            return;
        }
        byte[] bytes = view.millraceBytes();
        if (bytes == null) {
            return;
        }
        RowNode node = (RowNode) view.millraceState();
        Object plain = OptionalKind.unwrap(value);
        if (plain == null) {
            RowCopy.remove(member, bytes, view.millraceAt(), node);
        } else {
            form.assign(plain, bytes, view.millraceAt(), node);
            if (presence != null) {
                presence.put(bytes, view.millraceAt(), true);
            }
        }
    }
}
