package io.millrace.codec.view;

import io.millrace.codec.compact.CompactValueReader;
import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** The elements of a part of compact bytes. Immutable. */
final class CompactList extends AbstractList<@Nullable Object> implements RandomAccess {

    private final ListAccess access;
    private final byte[] bytes;
    private final int[] offsets;

    /** @param offsets offsets of the elements */
    CompactList(ListAccess access, byte[] bytes, int[] offsets) {
        this.access = access;
        this.bytes = bytes;
        this.offsets = offsets;
    }

    @Override
    public @Nullable Object get(int index) {
        ViewForm form = access.form();
        if (form != null) {
            return form.view(bytes, offsets[index], null);
        }
        CompactValueReader reader =
                Objects.requireNonNull(access.member().bareValue().reader());
        return access.shown(reader.element(bytes, offsets[index]));
    }

    @Override
    public int size() {
        return offsets.length;
    }
}
