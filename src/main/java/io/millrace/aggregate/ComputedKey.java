package io.millrace.aggregate;

import io.millrace.codec.RecordBatch;
import io.millrace.expression.BatchKeys;
import io.millrace.expression.Compiled;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A group key computed by an expression. Records whose value is absent also form a group. If a value can have the
 * number of an absent one, a second long is 1 for absent values and 0 for others.
 */
final class ComputedKey extends GroupKey {

    private static final int ABSENT_PART = 1;

    private final Field value;
    private final List<Compiled<BatchKeys>> numbers;
    private final NumberDecoder decoder;

    private ComputedKey(Field value, List<Compiled<BatchKeys>> numbers) {
        this.value = value;
        this.numbers = numbers;
        this.decoder = new NumberDecoder(value.type());
    }

    static ComputedKey compile(String text, Schema schema, ExpressionCompiler compiler) {
        Compiled<BatchKeys> keys = compiler.keys(text);
        Field value = compiler.resultField("key", text);
        if (!value.optional()) {
            return new ComputedKey(value, List.of(keys));
        }
        Compiled<BatchKeys> keysOrAbsent = compiler.keysOrAbsent(text);
        return new ComputedKey(
                value.asOptional(Column.ABSENT),
                Column.isAmbiguous(text, value.type(), schema)
                        ? List.of(keysOrAbsent, compiler.keys("(" + text + ") == null"))
                        : List.of(keysOrAbsent));
    }

    @Override
    public int longs() {
        return numbers.size();
    }

    @Override
    public Field value() {
        return value;
    }

    @Override
    public Set<String> reads() {
        return numbers.stream().flatMap(part -> part.reads().stream()).collect(Collectors.toSet());
    }

    @Override
    public List<Compiled<BatchKeys>> numbers() {
        return numbers;
    }

    @Override
    public void fill(RecordBatch batch, long[][] columns, int first) {
        throw new IllegalStateException("The numbers of a key fill its columns.");
    }

    @Override
    public @Nullable Object decode(long[] key, int at) {
        return isAbsent(key, at) ? null : decoder.value(key[at]);
    }

    @Override
    public long absent(int part) {
        return part == ABSENT_PART ? 1 : Column.ABSENT;
    }
}
