package io.millrace.view.access;

import io.millrace.codec.compact.CompactElements;
import io.millrace.codec.compact.CompactValueReader;
import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** The elements of a part of compact bytes, which are found when they are read. Immutable. */
final class CompactList extends AbstractList<@Nullable Object> implements RandomAccess {

    private final ListAccess access;
    private final byte[] bytes;
    private final CompactElements elements;

    CompactList(ListAccess access, byte[] bytes, CompactElements elements) {
        this.access = access;
        this.bytes = bytes;
        this.elements = elements;
    }

    @Override
    public @Nullable Object get(int index) {
        int offset = elements.offset(index);
        if (access.form() != null) {
            return access.element(bytes, offset);
        }
        CompactValueReader reader =
                Objects.requireNonNull(access.member().bareValue().reader());
        return access.shown(reader.element(bytes, offset));
    }

    @Override
    public int size() {
        return elements.count();
    }
}
