package io.millrace.codec.check;

import io.millrace.codec.ChildRows;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldCodecs;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordBatch;
import io.millrace.schema.CompactPart;
import io.millrace.schema.Constraint;
import io.millrace.schema.Field;
import io.millrace.schema.RepeatedGroup;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds records that violate the constraints of their schema: values of the fields of a record and, in the compact
 * layout, of the elements of its repeating parts, and conditions. A value is allowed if it could be written. Values
 * that steps add are not checked, nor are fields of an optional group that is not there.
 *
 * <p>Immutable, so safe for use by many threads, each with its own batch. Allocates only for patterns of texts, and for
 * records with violations.
 */
public final class ConstraintCheck {

    private static final int RECORD = -1;

    private final int baseLength;
    private final RowCheck record;
    private final ConditionChecks conditions;

    private ConstraintCheck(Schema schema) {
        baseLength = schema.baseLength();
        record = fields(schema);
        conditions = ConditionChecks.of(schema);
    }

    private static RowCheck fields(Schema schema) {
        return row(schema, RECORD, recordFields(schema), schema::field);
    }

    /**
     * Returns the check of a schema's records.
     *
     * @param schema schema of the batches. If their rows contain only some of the fields, they contain those that
     *     {@link #reads} returns
     */
    public static ConstraintCheck of(Schema schema) {
        return new ConstraintCheck(schema);
    }

    /**
     * Returns the names of the fields that the check reads: those with a constraint, whether their groups exist, and
     * what conditions read.
     */
    public List<String> reads() {
        return Stream.concat(record.reads(), conditions.reads()).toList();
    }

    /**
     * Returns the constraints, to be read: of each field, such as {@code amount: min 0, max 100}, then the conditions,
     * such as {@code order-of-dates: settled >= traded}.
     */
    public List<String> constraints() {
        return Stream.concat(record.constraints(), conditions.constraints()).toList();
    }

    /** Returns the constraints of a schema as text. Equal texts mean equal checks of equal schemas. */
    public static String describe(Schema schema) {
        return fields(schema).describe() + ConditionChecks.describe(schema);
    }

    /** Narrows the selection of a batch to the valid records. */
    public void select(RecordBatch batch) {
        if (!record.isEmpty()) {
            int[] selection = batch.selection();
            int valid = 0;
            for (int i = 0; i < batch.selected(); i++) {
                int ordinal = selection[i];
                if (isValid(record, batch, RECORD, ordinal)) {
                    selection[valid++] = ordinal;
                }
            }
            batch.select(valid);
        }
        conditions.select(batch);
    }

    /** Returns all violations in a record: of fields, with the paths of the values, then of conditions. */
    public List<String> violations(RecordBatch batch, int ordinal) {
        List<String> found = new ArrayList<>();
        collect(record, batch, RECORD, ordinal, List.of(), found);
        conditions.violations(batch, ordinal).forEach(violated -> found.add(violated.toString()));
        return found;
    }

    private boolean isValid(RowCheck row, RecordBatch batch, int group, int index) {
        byte[] bytes = bytes(batch, group);
        int at = at(batch, group, index);
        for (FieldCheck field : row.fields()) {
            if (field.violation(bytes, at) != null) {
                return false;
            }
        }
        for (ListCheck list : row.lists()) {
            ChildRows elements = batch.childRows().get(list.group());
            for (int i = elements.first(index); i < elements.end(index); i++) {
                if (!isValid(list.row(), batch, list.group(), i)) {
                    return false;
                }
            }
        }
        return true;
    }

    private void collect(
            RowCheck row, RecordBatch batch, int group, int index, List<Integer> indexes, List<String> found) {
        byte[] bytes = bytes(batch, group);
        int at = at(batch, group, index);
        for (FieldCheck field : row.fields()) {
            String violation = field.violation(bytes, at);
            if (violation != null) {
                found.add(FieldValueException.message(
                        ConditionChecks.path(field.codec().field().name(), indexes),
                        field.codec().shown(bytes, at),
                        violation));
            }
        }
        for (ListCheck list : row.lists()) {
            ChildRows elements = batch.childRows().get(list.group());
            for (int i = elements.first(index); i < elements.end(index); i++) {
                List<Integer> inner = new ArrayList<>(indexes);
                inner.add(i - elements.first(index));
                collect(list.row(), batch, list.group(), i, inner, found);
            }
        }
    }

    private byte[] bytes(RecordBatch batch, int group) {
        if (group == RECORD) {
            return baseLength == 0 ? batch.added() : batch.bytes();
        }
        return batch.childRows().get(group).rows();
    }

    private int at(RecordBatch batch, int group, int index) {
        if (group == RECORD) {
            return baseLength == 0 ? batch.addedOffset(index) : batch.offset(index);
        }
        return index * batch.childRows().get(group).rowLength();
    }

    private static List<Field> recordFields(Schema schema) {
        return schema.fields().stream()
                .filter(field -> field.offset() < schema.foundLength())
                .toList();
    }

    private static RowCheck row(
            Schema schema, int group, List<Field> fields, Function<String, @Nullable Field> byName) {
        List<FieldCheck> checks = fields.stream()
                .filter(field -> !field.constraint().equals(Constraint.NONE))
                .map(field -> new FieldCheck(FieldCodecs.of(field), presences(field.name(), byName)))
                .toList();
        List<RepeatedGroup> groups = schema.groups();
        List<ListCheck> lists = IntStream.range(0, groups.size())
                .filter(i -> groups.get(i).parent() == group)
                .mapToObj(i -> new ListCheck(i, row(schema, i, groups.get(i).fields(), groups.get(i)::field)))
                .filter(list -> list.row().reads().findAny().isPresent())
                .toList();
        return new RowCheck(checks, lists);
    }

    /** Returns the fields of a row that say whether the groups that contain a field are there. */
    private static List<Field> presences(String name, Function<String, @Nullable Field> byName) {
        List<Field> presences = new ArrayList<>();
        for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
            Field presence = byName.apply(CompactPart.presence(name.substring(0, dot)));
            if (presence != null) {
                presences.add(presence);
            }
        }
        return presences;
    }

    /** What to check in a row: a record, or an element of a repeating part. */
    private record RowCheck(List<FieldCheck> fields, List<ListCheck> lists) {

        boolean isEmpty() {
            return fields.isEmpty() && lists.isEmpty();
        }

        Stream<String> reads() {
            return Stream.concat(
                    fields.stream()
                            .flatMap(check -> Stream.concat(
                                            Stream.of(check.codec().field()), check.presences().stream())
                                    .map(Field::name)),
                    lists.stream().flatMap(list -> list.row().reads()));
        }

        Stream<String> constraints() {
            return Stream.concat(
                    fields.stream()
                            .map(check -> check.codec().field())
                            .map(field ->
                                    field.name() + ": " + field.constraint().describe()),
                    lists.stream().flatMap(list -> list.row().constraints()));
        }

        String describe() {
            StringBuilder text = new StringBuilder();
            fields.forEach(check -> text.append(check.codec().field().name())
                    .append(' ')
                    .append(check.codec().field().constraint())
                    .append('\n'));
            lists.forEach(list -> text.append(list.row().describe()));
            return text.toString();
        }
    }

    /** @param group index of the elements among the batch's rows */
    private record ListCheck(int group, RowCheck row) {}

    /** @param presences fields that are 0 if a group that contains the field is not there */
    private record FieldCheck(FieldCodec codec, List<Field> presences) {

        @Nullable
        String violation(byte[] bytes, int row) {
            for (int i = 0; i < presences.size(); i++) {
                if (bytes[row + presences.get(i).offset()] == 0) {
                    return null;
                }
            }
            return codec.violation(bytes, row);
        }
    }
}
