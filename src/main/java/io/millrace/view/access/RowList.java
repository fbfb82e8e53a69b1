package io.millrace.view.access;

import java.util.AbstractList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** The elements of a part that are in the row itself: always the same number. */
final class RowList extends AbstractList<@Nullable Object> implements RandomAccess {

    private final ListAccess access;
    private final byte[] bytes;
    private final int at;

    RowList(ListAccess access, byte[] bytes, int at) {
        this.access = access;
        this.bytes = bytes;
        this.at = at;
    }

    private int offset(int index) {
        Objects.checkIndex(index, size());
        return at + access.member().first() + index * access.member().stride();
    }

    @Override
    public @Nullable Object get(int index) {
        int offset = offset(index);
        return access.form() == null
                ? access.shown(access.member().bareValue().codec().get().value(bytes, offset))
                : access.element(bytes, offset);
    }

    @Override
    public int size() {
        return access.member().count();
    }

    @Override
    public @Nullable Object set(int index, @Nullable Object element) {
        if (!access.mutable()) {
            throw new UnsupportedOperationException("The list belongs to an immutable view. Use edit().");
        }
        Object before = get(index);
        write(index, Collections.singletonList(element));
        return before;
    }

    /** Replaces all elements, or none if one of them is refused. */
    void replace(List<Object> elements) {
        if (elements.size() != size()) {
            throw new IllegalArgumentException("Invalid number of elements of '"
                    + access.member().path() + "': " + elements.size() + ". The schema requires " + size() + ".");
        }
        write(0, elements);
    }

    private void write(int first, List<? extends @Nullable Object> elements) {
        int start = offset(first);
        int end = offset(first + elements.size() - 1)
                + access.member().shape().scope().rowLength();
        RowBackup backup = RowBackup.of(bytes, start, end - start);
        boolean written = false;
        try {
            for (int i = 0; i < elements.size(); i++) {
                access.write(elements.get(i), bytes, offset(first + i), null);
            }
            written = true;
        } finally {
            if (!written) {
                backup.restore();
            }
        }
    }
}
