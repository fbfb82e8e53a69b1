package io.millrace.view;

import io.millrace.view.access.Access;
import io.millrace.view.type.Accessor;
import org.jspecify.annotations.Nullable;

/**
 * A member of the records of a generated class. A record class, so that the JIT compiler treats what a constant of the
 * generated class contains as constants too.
 *
 * @param immutable access to immutable records
 * @param mutable access to mutable ones
 */
record FormMember<V>(Access immutable, Access mutable) implements RecordMember<V> {

    /** @param name name of a member that has a getter */
    static <V> FormMember<V> of(ViewKind kind, String name) {
        for (Accessor accessor : kind.accessors()) {
            if (accessor.getsMember() && name.equals(accessor.memberName())) {
                return new FormMember<>(
                        kind.immutableForm().access(accessor), kind.mutable().access(accessor));
            }
        }
        throw new IllegalArgumentException(
                "Unknown member '" + name + "' of " + kind.type().getName() + ". Use one of: " + kind.shown() + ".");
    }

    private Access access(BinaryRecord record) {
        return record.mutable() ? mutable : immutable;
    }

    @Override
    @SuppressWarnings("unchecked")
    public @Nullable V get(BinaryRecord record) {
        return (V) access(record).get(record);
    }

    @Override
    public long number(BinaryRecord record) {
        return access(record).number(record);
    }

    @Override
    public double real(BinaryRecord record) {
        return access(record).real(record);
    }

    @Override
    public boolean truth(BinaryRecord record) {
        return access(record).truth(record);
    }

    @Override
    public void set(BinaryRecord record, @Nullable V value) {
        access(record).set(record, value);
    }
}
