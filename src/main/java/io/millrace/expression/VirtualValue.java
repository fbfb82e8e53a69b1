package io.millrace.expression;

import io.millrace.codec.Admission;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.RejectSink;
import io.millrace.codec.layout.LayoutCodecs;
import io.millrace.codec.record.LayoutCodec;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import io.millrace.schema.VirtualField;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A virtual field, computed for one record at a time. Thread-safe. */
public final class VirtualValue {

    /** No field of a schema has a blank in its name. */
    private static final String TARGET = "computed ";

    private static final RejectSink THROW = (_, _, reason) -> {
        throw new IllegalArgumentException(reason.detail());
    };

    private final Schema extended;
    private final BatchSetter setter;
    private final FieldCodec result;
    private final AtomicReference<@Nullable Evaluation> idle = new AtomicReference<>();

    private VirtualValue(Schema extended, BatchSetter setter, FieldCodec result) {
        this.extended = extended;
        this.setter = setter;
        this.result = result;
    }

    /** Belongs to one thread at a time. */
    private record Evaluation(RecordBatch batch, LayoutCodec layout, Admission finder) {

        static Evaluation of(Schema extended) {
            LayoutCodec layout = LayoutCodecs.of(extended);
            return new Evaluation(new RecordBatch(extended), layout, layout.finder());
        }
    }

    /**
     * Compiles a virtual field of a schema.
     *
     * @throws RuntimeException if the expression is invalid
     */
    public static VirtualValue of(Schema schema, VirtualField field) {
        Field target = new ExpressionCompiler(schema).resultField(TARGET + field.name(), field.expression());
        Schema extended = schema.extend(target);
        Assignment assignment = new Assignment(target, field.expression());
        return new VirtualValue(
                extended,
                new ExpressionCompiler(extended).setter(List.of(assignment)).loop(),
                RecordCodec.of(extended).codec(target.name()));
    }

    /** Returns a field that holds the values, whose type determines what getters can return. */
    public Field field() {
        return result.field();
    }

    /**
     * Computes the value.
     *
     * @return value of the field's {@link io.millrace.schema.FieldType#javaType()}, or null if it is absent
     * @throws IllegalArgumentException if the record is malformed, or if the expression has no result for it
     */
    public @Nullable Object value(byte[] record) {
        Evaluation evaluation = idle.getAndSet(null);
        if (evaluation == null) {
            evaluation = Evaluation.of(extended);
        }
        RecordBatch batch = evaluation.batch();
        evaluation.layout().show(batch, record, 0, record.length);
        evaluation.finder().admit(batch, THROW);
        setter.apply(batch, THROW);
        Object value = result.value(batch.added(), -extended.baseLength());
        idle.set(evaluation);
        return value;
    }
}
