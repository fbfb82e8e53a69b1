package io.millrace.aggregate;

import io.millrace.codec.RecordBatch;
import io.millrace.expression.BatchKeys;
import io.millrace.expression.Compiled;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A group key computed by an expression. Records whose value is absent also form a group, unless the values are names:
 * in that case the expression has no result for these records.
 */
final class ComputedKey extends GroupKey {

    private final Field value;
    private final Compiled<BatchKeys> numbers;
    private final NumberDecoder decoder;

    private ComputedKey(Field value, Compiled<BatchKeys> numbers) {
        this.value = value;
        this.numbers = numbers;
        this.decoder = new NumberDecoder(value.type());
    }

    static ComputedKey of(String text, ExpressionCompiler compiler) {
        Compiled<BatchKeys> keys = compiler.keys(text);
        Field value = compiler.resultField("key", text);
        if (!value.optional() || value.type() instanceof FieldType.EnumType) {
            return new ComputedKey(Field.of(value.name(), value.type(), 0), keys);
        }
        return new ComputedKey(value.asOptional(Column.ABSENT), compiler.orderKeys(text));
    }

    @Override
    public int longs() {
        return 1;
    }

    @Override
    public Field value() {
        return value;
    }

    @Override
    public Set<String> reads() {
        return numbers.reads();
    }

    @Override
    public Compiled<BatchKeys> numbers() {
        return numbers;
    }

    @Override
    public void fill(RecordBatch batch, long[][] columns, int first) {
        throw new IllegalStateException("The numbers of a key fill their column.");
    }

    @Override
    public @Nullable Object decode(long[] key, int at) {
        return isAbsent(key, at) ? null : decoder.value(key[at]);
    }

    @Override
    public long absent(int part) {
        return Column.ABSENT;
    }
}
