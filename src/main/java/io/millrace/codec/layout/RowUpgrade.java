package io.millrace.codec.layout;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldCodecs;
import io.millrace.codec.RawBytes;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites rows of one version of a schema as rows of the next one. Works on the stored numbers and bytes, one field of
 * all rows after the other. {@link io.millrace.schema.evolution.SchemaEvolution} has decided that no value changes.
 * Immutable and thread-safe; allocates nothing per row.
 */
public final class RowUpgrade {

    private final int fromLength;
    private final int toLength;
    private final boolean sameBytes;
    /** A row in which each field that can be absent is absent, and padding is zero. */
    private final byte[] emptyRow;

    private final List<Move> moves;

    /** Moves the values of one or several fields. */
    private sealed interface Move {
        void apply(byte[] from, int fromRow, byte[] to, int toRow);
    }

    /** Copies bytes that mean the same in both versions. */
    private record Copy(int from, int to, int length) implements Move {
        @Override
        public void apply(byte[] source, int fromRow, byte[] target, int toRow) {
            RawBytes.copy(source, fromRow + from, target, toRow + to, length);
        }

        /** Returns a copy of these bytes and those of another one directly behind them, or null if they are not. */
        @Nullable
        Copy and(Copy next) {
            return from + length == next.from && to + length == next.to
                    ? new Copy(from, to, length + next.length)
                    : null;
        }
    }

    /**
     * Copies a number to another storage, unless it is absent.
     *
     * @param flagAt offset of the null flag to clear, or -1
     */
    private record Integral(FieldCodec source, int from, IntStorage storage, int to, IntStorage target, int flagAt)
            implements Move {
        @Override
        public void apply(byte[] bytes, int fromRow, byte[] into, int toRow) {
            if (!source.isAbsent(bytes, fromRow)) {
                RawBytes.put(into, toRow + to, target, RawBytes.get(bytes, fromRow + from, storage));
                markPresent(into, toRow, flagAt);
            }
        }
    }

    /**
     * Copies the bytes of a value, unless it is absent, and pads them.
     *
     * @param flagAt offset of the null flag to clear, or -1
     */
    private record Bytes(FieldCodec source, int from, int length, int to, int width, byte pad, int flagAt)
            implements Move {
        @Override
        public void apply(byte[] bytes, int fromRow, byte[] into, int toRow) {
            if (!source.isAbsent(bytes, fromRow)) {
                System.arraycopy(bytes, fromRow + from, into, toRow + to, length);
                Arrays.fill(into, toRow + to + length, toRow + to + width, pad);
                markPresent(into, toRow, flagAt);
            }
        }
    }

    private static void markPresent(byte[] bytes, int row, int flagAt) {
        if (flagAt >= 0) {
            bytes[row + flagAt] = 0;
        }
    }

    private RowUpgrade(int fromLength, int toLength, byte[] emptyRow, List<Move> moves, boolean sameBytes) {
        this.fromLength = fromLength;
        this.toLength = toLength;
        this.emptyRow = emptyRow;
        this.moves = moves;
        this.sameBytes = sameBytes;
    }

    /**
     * Returns the upgrade of whole records of the fixed layout.
     *
     * @param sources name in the old version of each field of the new one that the old version has
     */
    public static RowUpgrade of(Schema from, Schema to, Map<String, String> sources) {
        return of(from.fields(), 0, from.recordLength(), to.fields(), 0, to.recordLength(), sources);
    }

    /**
     * Returns the upgrade of the fields that steps added to records.
     *
     * @param sources as in {@link #of}
     */
    public static RowUpgrade ofAdded(Schema from, Schema to, Map<String, String> sources) {
        return of(
                from.fields().stream()
                        .filter(field -> field.offset() >= from.foundLength())
                        .toList(),
                from.foundLength(),
                from.recordLength() - from.foundLength(),
                to.fields().stream()
                        .filter(field -> field.offset() >= to.foundLength())
                        .toList(),
                to.foundLength(),
                to.recordLength() - to.foundLength(),
                sources);
    }

    private static RowUpgrade of(
            Collection<Field> from,
            int fromOrigin,
            int fromLength,
            Collection<Field> to,
            int toOrigin,
            int toLength,
            Map<String, String> sources) {
        Map<String, Field> known = new HashMap<>();
        from.forEach(field -> known.put(field.name(), field.at(field.offset() - fromOrigin)));
        byte[] empty = new byte[toLength];
        List<Move> moves = new ArrayList<>();
        boolean same = fromLength == toLength && from.size() == to.size();
        for (Field each :
                to.stream().sorted(Comparator.comparingInt(Field::offset)).toList()) {
            Field field = each.at(each.offset() - toOrigin);
            if (field.optional()) {
                FieldCodecs.of(field).putAbsent(empty, 0);
            }
            String name = sources.get(field.name());
            Field source = name == null ? null : Objects.requireNonNull(known.get(name));
            if (source == null) {
                same = false;
                continue;
            }
            Move move = move(source, field);
            same &= sameMeaning(source, field) && source.offset() == field.offset();
            add(move, moves);
        }
        return new RowUpgrade(fromLength, toLength, empty, List.copyOf(moves), same);
    }

    private static void add(Move move, List<Move> moves) {
        if (move instanceof Copy copy && !moves.isEmpty() && moves.getLast() instanceof Copy last) {
            Copy both = last.and(copy);
            if (both != null) {
                moves.set(moves.size() - 1, both);
                return;
            }
        }
        moves.add(move);
    }

    private static Move move(Field from, Field to) {
        // Other fields may share the bytes of a slice.
        if (sameMeaning(from, to) && !isSlice(from)) {
            return new Copy(from.offset(), to.offset(), to.end() - to.offset());
        }
        FieldCodec source = FieldCodecs.of(from);
        int flagAt = to.nullFlag() ? to.nullFlagAt() : -1;
        if (from.type() instanceof FieldType.Numbered one && to.type() instanceof FieldType.Numbered other) {
            return new Integral(source, from.offset(), one.storage(), to.offset(), other.storage(), flagAt);
        }
        byte pad = to.type() instanceof FieldType.StringType text ? text.pad() : 0;
        return new Bytes(
                source,
                from.offset(),
                from.type().bytes(),
                to.offset(),
                to.type().bytes(),
                pad,
                flagAt);
    }

    /** Returns whether the bytes of a field mean the same in both versions, except for the names of codes. */
    private static boolean sameMeaning(Field from, Field to) {
        boolean sameAbsence = from.optional() == to.optional()
                && from.nullFlag() == to.nullFlag()
                && (!from.optional() || from.nullRaw() == to.nullRaw());
        if (from.type() instanceof FieldType.EnumType one && to.type() instanceof FieldType.EnumType other) {
            return sameAbsence && one.storage().equals(other.storage());
        }
        return sameAbsence && from.type().equals(to.type());
    }

    private static boolean isSlice(Field field) {
        return field.type() instanceof FieldType.Numbered numbered
                && !numbered.storage().wholeWord();
    }

    /** Returns whether rows of the old version are rows of the new one as they are. */
    public boolean sameBytes() {
        return sameBytes;
    }

    /** Returns the length in bytes of a row of the old version. */
    public int fromLength() {
        return fromLength;
    }

    /** Returns the length in bytes of a row of the new version. */
    public int toLength() {
        return toLength;
    }

    /** Writes rows of the new version. The rows are back to back in both arrays. */
    public void upgrade(byte[] from, int fromAt, int count, byte[] to, int toAt) {
        for (int i = 0; i < count; i++) {
            System.arraycopy(emptyRow, 0, to, toAt + i * toLength, toLength);
        }
        for (Move move : moves) {
            for (int i = 0; i < count; i++) {
                move.apply(from, fromAt + i * fromLength, to, toAt + i * toLength);
            }
        }
    }
}
