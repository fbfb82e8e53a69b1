package io.millrace.expression;

import io.millrace.codec.Admission;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.LayoutCodec;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.RejectSink;
import io.millrace.codec.layout.LayoutCodecs;
import io.millrace.codec.view.VirtualValue;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import io.millrace.schema.VirtualField;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Compiles virtual fields for views of records. Stateless. */
public final class VirtualFieldCompiler implements VirtualValue.Compiler {

    /** No field of a schema has a blank in its name. */
    private static final String TARGET = "computed ";

    private static final RejectSink THROW = (_, _, reason) -> {
        throw new IllegalArgumentException(reason.detail());
    };

    /** Used by the service loader. */
    public VirtualFieldCompiler() {}

    @Override
    public VirtualValue compile(Schema schema, VirtualField field) {
        Field target = new ExpressionCompiler(schema).resultField(TARGET + field.name(), field.expression());
        Schema extended = schema.extend(target);
        Assignment assignment = new Assignment(target, field.expression());
        return new Value(
                extended,
                new ExpressionCompiler(extended).setter(List.of(assignment)).loop(),
                RecordCodec.of(extended).codec(target.name()));
    }

    private static final class Value implements VirtualValue {

        private final Schema extended;
        private final BatchSetter setter;
        private final FieldCodec result;
        private final AtomicReference<@Nullable Evaluation> idle = new AtomicReference<>();

        Value(Schema extended, BatchSetter setter, FieldCodec result) {
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

        @Override
        public Field field() {
            return result.field();
        }

        @Override
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
}
