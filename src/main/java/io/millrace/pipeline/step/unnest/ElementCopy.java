package io.millrace.pipeline.step.unnest;

import io.millrace.codec.ChildRows;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.schema.CompactPart;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.RepeatedGroup;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The record that is made of an element of a list: the fields of the record, those of the elements around it, and its
 * own, in this order. Each element around it and the element itself also have a field with its index. A field of a
 * group that can be missing is absent if the group is. Immutable.
 */
final class ElementCopy {

    private static final FieldType INDEX = new FieldType.IntegerType(IntStorage.of(4, false, ByteOrder.BIG_ENDIAN));

    /** The lists from the outermost one to the one whose elements become records, as indexes in the schema. */
    private final int[] groups;

    /** Source of the fields: the row of the record, then one of an element of each list. */
    private final List<Level> levels;

    private final List<Field> fields;
    private final int length;
    private final List<String> reads;

    /**
     * What is copied from one row.
     *
     * @param runs adjacent fields
     * @param presences groups that can be missing
     * @param indexAt offset of the index of the row, or -1 if it is not copied, or for the row of the record
     */
    private record Level(List<Run> runs, List<Presence> presences, int indexAt) {

        void copy(byte[] row, int rowAt, int index, byte[] into, int at) {
            for (int i = 0; i < runs.size(); i++) {
                Run run = runs.get(i);
                RawBytes.copy(row, rowAt + run.from, into, at + run.into, run.length);
            }
            for (int i = 0; i < presences.size(); i++) {
                Presence presence = presences.get(i);
                into[at + presence.into] = (byte) (row[rowAt + presence.from] == 0 ? 1 : 0);
            }
            if (indexAt >= 0) {
                RawBytes.putInt(into, at + indexAt, index);
            }
        }
    }

    /** Bytes to copy. */
    private record Run(int from, int into, int length) {}

    /**
     * A field of a group that can be missing.
     *
     * @param from offset of the byte that is 0 if the group is not there
     * @param into offset of the field's null flag
     */
    private record Presence(int from, int into) {}

    private ElementCopy(int[] groups, List<Level> levels, List<Field> fields, int length, List<String> reads) {
        this.groups = groups;
        this.levels = List.copyOf(levels);
        this.fields = List.copyOf(fields);
        this.length = length;
        this.reads = List.copyOf(reads);
    }

    /**
     * Returns the copy of the elements of a list.
     *
     * @param records schema of the records, with rows of elements
     * @param group index of the list
     * @param chosen names of the fields to copy; empty for all
     */
    static ElementCopy of(Schema records, int group, List<String> chosen) {
        List<RepeatedGroup> path = new ArrayList<>();
        List<Integer> groups = new ArrayList<>();
        for (int i = group; i >= 0; i = records.groups().get(i).parent()) {
            path.addFirst(records.groups().get(i));
            groups.addFirst(i);
        }
        return new Builder(records, Set.copyOf(chosen)).build(List.copyOf(path), groups);
    }

    /** Places fields one after the other. */
    private static final class Builder {

        private final Schema records;
        private final Map<String, String> presences;
        private final Set<String> chosen;
        private final List<Field> fields = new ArrayList<>();
        private final List<String> reads = new ArrayList<>();
        private final List<Level> levels = new ArrayList<>();
        private int end;

        Builder(Schema records, Set<String> chosen) {
            this.records = records;
            this.chosen = chosen;
            this.presences = records.layout().presences();
        }

        ElementCopy build(List<RepeatedGroup> path, List<Integer> groups) {
            add(List.copyOf(records.fields()), -1);
            for (RepeatedGroup list : path) {
                reads.add(list.path());
                Field index = Field.of(name(list.path()).replace('.', '_') + "_index", INDEX, 0);
                add(list.fields(), isChosen(index.name()) ? place(index).offset() : -1);
            }
            int[] indexes = groups.stream().mapToInt(Integer::intValue).toArray();
            return new ElementCopy(indexes, levels, fields, end, reads);
        }

        private void add(List<Field> row, int indexAt) {
            List<Run> runs = new ArrayList<>();
            List<Presence> missing = new ArrayList<>();
            for (Field field : row) {
                if (CompactPart.isPresence(field.name()) || !isChosen(name(field.name()))) {
                    continue;
                }
                reads.add(field.name());
                Field presence = presence(field, row);
                if (presence != null) {
                    reads.add(presence.name());
                }
                Field renamed = field.as(name(field.name()), end);
                Field placed = place(presence == null || field.optional() ? renamed : renamed.withNullFlag());
                addRun(runs, new Run(field.offset(), placed.offset(), field.end() - field.offset()));
                if (presence != null && !field.optional()) {
                    missing.add(new Presence(presence.offset(), placed.nullFlagAt()));
                }
            }
            levels.add(new Level(List.copyOf(runs), List.copyOf(missing), indexAt));
        }

        private boolean isChosen(String name) {
            return chosen.isEmpty() || chosen.contains(name);
        }

        /** Returns the field that says whether the group of a field is there, or null if it always is. */
        private @Nullable Field presence(Field field, List<Field> row) {
            int dot = field.name().lastIndexOf('.');
            String presence = dot < 0 ? null : presences.get(field.name().substring(0, dot));
            return row.stream()
                    .filter(other -> other.name().equals(presence))
                    .findFirst()
                    .orElse(null);
        }

        private Field place(Field field) {
            Field placed = field.at(end);
            fields.add(placed);
            end = placed.end();
            return placed;
        }

        private static void addRun(List<Run> runs, Run run) {
            Run last = runs.isEmpty() ? null : runs.getLast();
            if (last != null && last.from + last.length == run.from && last.into + last.length == run.into) {
                runs.set(runs.size() - 1, new Run(last.from, last.into, last.length + run.length));
            } else {
                runs.add(run);
            }
        }
    }

    /** Returns a path without {@code []}. */
    static String name(String path) {
        return path.replace("[]", "");
    }

    /** Returns the name of a field that exists twice, or null. */
    @Nullable
    String duplicate() {
        Set<String> names = new HashSet<>();
        return fields.stream()
                .map(Field::name)
                .filter(name -> !names.add(name))
                .findFirst()
                .orElse(null);
    }

    /** Returns the names of the fields that are copied, in order. */
    List<String> names() {
        return fields.stream().map(Field::name).toList();
    }

    /** Returns the names of the fields and lists that are read. */
    List<String> reads() {
        return reads;
    }

    /** Returns the schema of the elements' records, which are of the fixed layout. */
    Schema schema(String name) {
        return new Schema(name, length, fields, List.of());
    }

    /** Returns the length in bytes of an element's record. */
    int length() {
        return length;
    }

    /** Returns the number of elements of a record. */
    long count(RecordBatch batch, int ordinal) {
        return count(batch, 0, ordinal);
    }

    private long count(RecordBatch batch, int level, int parent) {
        ChildRows list = batch.childRows().get(groups[level]);
        int first = list.first(parent);
        int end = list.end(parent);
        if (level == groups.length - 1) {
            return (long) end - first;
        }
        long count = 0;
        for (int row = first; row < end; row++) {
            count += count(batch, level + 1, row);
        }
        return count;
    }

    /** Returns a new buffer for {@link #write}. */
    int[] newRows() {
        return new int[2 * groups.length];
    }

    /**
     * Writes the records of all elements of a record, back to back.
     *
     * @param rows buffer
     * @param into receives the records; long enough
     * @param at offset of the first one
     */
    void write(RecordBatch batch, int ordinal, int[] rows, byte[] into, int at) {
        write(batch, ordinal, 0, ordinal, rows, into, at);
    }

    /**
     * Writes the records of the elements of a list in one parent.
     *
     * @param parent ordinal of the record, or index of the row that contains the list
     * @param rows row of the current element of each list, and its index among the elements of its parent, in turn
     * @return offset past the last record
     */
    private int write(RecordBatch batch, int ordinal, int level, int parent, int[] rows, byte[] into, int at) {
        ChildRows list = batch.childRows().get(groups[level]);
        int first = list.first(parent);
        int end = list.end(parent);
        int next = at;
        for (int row = first; row < end; row++) {
            rows[2 * level] = row;
            rows[2 * level + 1] = row - first;
            if (level < groups.length - 1) {
                next = write(batch, ordinal, level + 1, row, rows, into, next);
            } else {
                copyElement(batch, ordinal, rows, into, next);
                next += length;
            }
        }
        return next;
    }

    private void copyElement(RecordBatch batch, int ordinal, int[] rows, byte[] into, int at) {
        levels.getFirst().copy(batch.added(), batch.addedOffset(ordinal), 0, into, at);
        for (int i = 0; i < groups.length; i++) {
            ChildRows list = batch.childRows().get(groups[i]);
            levels.get(i + 1).copy(list.rows(), rows[2 * i] * list.rowLength(), rows[2 * i + 1], into, at);
        }
    }
}
