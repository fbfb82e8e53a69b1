package io.millrace.store;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.expression.BatchKeys;
import io.millrace.expression.Compiled;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One of the things that make records a group: bytes that are equal where its values are. Not thread-safe. */
abstract class GroupKey {

    /** How many bytes it takes. */
    abstract int bytes();

    /** Names of the fields that it reads. */
    abstract Set<String> reads();

    /** What gives it as a column of numbers, null where it is read from the record. */
    abstract @Nullable Compiled<BatchKeys> numbers();

    /** Writes it for a record, which no column gives. */
    abstract void put(RecordBatch batch, int ordinal, byte[] into, int at);

    /** The value that bytes stand for. */
    abstract @Nullable Object value(byte[] from, int at);

    /**
     * Compiles one.
     *
     * @throws io.millrace.expression.ExpressionException where the expression is wrong
     */
    static GroupKey of(String text, Schema schema, ExpressionCompiler compiler) {
        Field field = schema.field(text.strip());
        return field == null
                ? new Computed(
                        compiler.keys(text), compiler.resultField("key", text).type())
                : new Plain(schema, field);
    }

    /** A stored field. */
    private static final class Plain extends GroupKey {

        private final Field field;
        private final FieldCodec codec;
        private final boolean added;
        private final int offset;

        Plain(Schema schema, Field field) {
            this.field = field;
            this.codec = RecordCodec.of(schema).codec(field.name());
            this.added = schema.isAdded(field);
            this.offset = added ? field.offset() - schema.baseLength() : field.offset();
        }

        @Override
        int bytes() {
            return field.type().bytes();
        }

        @Override
        Set<String> reads() {
            return Set.of(field.name());
        }

        @Override
        @Nullable
        Compiled<BatchKeys> numbers() {
            return null;
        }

        @Override
        void put(RecordBatch batch, int ordinal, byte[] into, int at) {
            byte[] from = added ? batch.added() : batch.bytes();
            int record = added ? batch.addedOffset(ordinal) : batch.offset(ordinal);
            System.arraycopy(from, record + offset, into, at, bytes());
        }

        @Override
        @Nullable
        Object value(byte[] from, int at) {
            return codec.value(from, at - field.offset());
        }
    }

    /** An expression. */
    private static final class Computed extends GroupKey {

        private final Compiled<BatchKeys> numbers;
        private final FieldType type;

        Computed(Compiled<BatchKeys> numbers, FieldType type) {
            this.numbers = numbers;
            this.type = type;
        }

        @Override
        int bytes() {
            return Long.BYTES;
        }

        @Override
        Set<String> reads() {
            return Set.copyOf(numbers.reads());
        }

        @Override
        Compiled<BatchKeys> numbers() {
            return numbers;
        }

        @Override
        void put(RecordBatch batch, int ordinal, byte[] into, int at) {
            throw new IllegalStateException("its column gives it");
        }

        @Override
        @Nullable
        Object value(byte[] from, int at) {
            return Figure.decoded(type, RawBytes.getLong(from, at));
        }
    }
}
