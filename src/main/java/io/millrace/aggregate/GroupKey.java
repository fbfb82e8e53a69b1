package io.millrace.aggregate;

import io.millrace.codec.RecordBatch;
import io.millrace.expression.BatchKeys;
import io.millrace.expression.Compiled;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One of the things that make records a group: longs that are equal where its values are. Immutable. */
public abstract sealed class GroupKey permits FieldKey, ComputedKey {

    /** How many longs it takes. */
    public abstract int longs();

    /** What its values are, and whether one may be absent. */
    public abstract Field value();

    /** Names of the fields that it reads. */
    public abstract Set<String> reads();

    /** What fills its one column, null where {@link #fill} does. */
    public abstract @Nullable Compiled<BatchKeys> numbers();

    /**
     * Fills its columns from the selected records, unless {@link #numbers} do.
     *
     * @param columns as many as it takes longs, from {@code first} on
     */
    public abstract void fill(RecordBatch batch, long[][] columns, int first);

    /**
     * The value that longs stand for; null where it is absent.
     *
     * @throws io.millrace.codec.FieldValueException where they stand for none
     */
    public abstract @Nullable Object decode(long[] key, int at);

    /** The long that one of its columns has where its value is absent; of no meaning where it can't be. */
    public abstract long absent(int part);

    /** Whether longs stand for an absent value. */
    public final boolean isAbsent(long[] key, int at) {
        boolean absent = value().optional();
        for (int part = 0; part < longs(); part++) {
            absent &= key[at + part] == absent(part);
        }
        return absent;
    }

    /**
     * Compiles one.
     *
     * @param text name of a stored field, or an expression with a number, date, instant, name or truth value
     * @throws io.millrace.expression.ExpressionException where the expression is wrong
     */
    public static GroupKey of(String text, Schema schema, ExpressionCompiler compiler) {
        Field field = schema.field(text.strip());
        return field == null ? ComputedKey.of(text, compiler) : new FieldKey(schema, field);
    }
}
