package io.millrace.expression.bytecode;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_byte;
import static java.lang.constant.ConstantDescs.CD_int;

import io.millrace.codec.ChildRows;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.bytecode.ClassDescs;
import io.millrace.schema.Field;
import io.millrace.schema.RepeatedGroup;
import io.millrace.schema.Schema;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The local variables of the repeating parts that the code for one record reads: the arrays of a part, which are loaded
 * once for each run of the loop, and the rows that the folds at this point of the code are at.
 */
final class GroupRows {

    private static final ClassDesc INTS = CD_int.arrayType();
    private static final ClassDesc LIST = ConstantDescs.CD_List;
    private static final ClassDesc CHILD_ROWS = ClassDescs.of(ChildRows.class);

    private final CodeBuilder code;
    private final List<RepeatedGroup> groups;
    private final int batch;
    private final int ordinal;
    private final Map<Integer, Arrays> arrays = new LinkedHashMap<>();
    private final Deque<Row> rows = new ArrayDeque<>();

    /** Local variables of the arrays of a part. */
    private record Arrays(int rows, int bounds) {}

    /**
     * A row that a fold is at.
     *
     * @param array local variable of the array
     * @param index local variable of the row's index, which is the ordinal of the parent of inner parts
     * @param offset local variable of the row's offset in the array
     */
    record Row(RepeatedGroup group, int array, int index, int offset) {}

    /**
     * @param batch local variable of the batch
     * @param ordinal local variable of the record's ordinal
     */
    GroupRows(CodeBuilder code, Schema schema, int batch, int ordinal) {
        this.code = code;
        this.groups = schema.groups();
        this.batch = batch;
        this.ordinal = ordinal;
    }

    /** Begins code that is at a row of a part; the caller sets index and offset. */
    Row enter(String path) {
        RepeatedGroup group = groups.get(index(path));
        Row row = new Row(group, arrays(path).rows, code.allocateLocal(TypeKind.INT), code.allocateLocal(TypeKind.INT));
        rows.push(row);
        return row;
    }

    /** Ends the code that is at the innermost row. */
    void exit() {
        rows.pop();
    }

    private int index(String path) {
        for (int i = 0; i < groups.size(); i++) {
            if (groups.get(i).path().equals(path)) {
                return i;
            }
        }
        throw new IllegalStateException("no group: " + path);
    }

    private Arrays arrays(String path) {
        return arrays.computeIfAbsent(
                index(path),
                _ -> new Arrays(code.allocateLocal(TypeKind.REFERENCE), code.allocateLocal(TypeKind.REFERENCE)));
    }

    /** Pushes the index of the first row of a part, at this point of the code. */
    void pushFirst(String path) {
        pushBound(path, 0);
    }

    /** Pushes the index past the last row of a part, at this point of the code. */
    void pushEnd(String path) {
        pushBound(path, 1);
    }

    private void pushBound(String path, int end) {
        code.aload(arrays(path).bounds);
        code.iload(parent(groups.get(index(path)))).iconst_1().ishl();
        if (end > 0) {
            code.iconst_1().iadd();
        }
        code.iaload();
    }

    /** Returns the local variable with the index of the row that contains a part. */
    private int parent(RepeatedGroup group) {
        if (group.parent() < 0) {
            return ordinal;
        }
        RepeatedGroup outer = groups.get(group.parent());
        return rows.stream()
                .filter(row -> row.group.path().equals(outer.path()))
                .findFirst()
                .orElseThrow()
                .index;
    }

    /** Returns the innermost row that contains a field, or null if the field is in the record. */
    @Nullable
    Row of(Field field) {
        for (Row row : rows) {
            if (row.group.field(field.name()) != null) {
                return row;
            }
        }
        return null;
    }

    /** Loads the arrays of all parts. */
    void load() {
        arrays.forEach((index, locals) -> {
            code.aload(batch).invokevirtual(ClassDescs.of(RecordBatch.class), "childRows", MethodTypeDesc.of(LIST));
            code.loadConstant(index);
            code.invokeinterface(LIST, "get", MethodTypeDesc.of(CD_Object, CD_int))
                    .checkcast(CHILD_ROWS)
                    .dup();
            code.invokevirtual(CHILD_ROWS, "rows", MethodTypeDesc.of(CD_byte.arrayType()))
                    .astore(locals.rows);
            code.invokevirtual(CHILD_ROWS, "bounds", MethodTypeDesc.of(INTS)).astore(locals.bounds);
        });
    }
}
