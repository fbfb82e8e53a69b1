package io.millrace.feed.generator;

import io.millrace.codec.RecordCodec;
import io.millrace.schema.Constraint;
import io.millrace.schema.Schema;
import io.millrace.schema.Schemas;
import java.util.Arrays;

/**
 * Makes up records: the same ones for the same schema and seed, in whatever portions they are asked for, each of them
 * valid. Trades look like trades; records of other schemas hold random values that their fields take.
 *
 * <p>Not thread-safe. Filling allocates nothing.
 */
public final class RecordGenerator {

    /** Writes the fields of one record. */
    interface Filler {
        /**
         * Writes a record over zeros.
         *
         * @param record number of the record, from 0 on
         */
        void fill(byte[] into, int at, long record, Draws draws);
    }

    private final int length;
    private final Filler filler;
    private final Draws draws;
    private long next;

    private RecordGenerator(int length, Filler filler, long seed) {
        this.length = length;
        this.filler = filler;
        this.draws = new Draws(seed);
    }

    /**
     * A generator that begins with the first record.
     *
     * @throws IllegalArgumentException if no text could be found that matches a field's pattern
     */
    public static RecordGenerator of(Schema schema, long seed) {
        RecordCodec codec = RecordCodec.of(schema.base());
        Filler filler = isTrade(schema.base()) ? new TradeFiller(codec) : new AnyFiller(codec);
        return new RecordGenerator(schema.baseLength(), filler, seed);
    }

    /** Whether the bytes mean the same as the built-in trade's, without constraints that its values might break. */
    private static boolean isTrade(Schema schema) {
        return schema.fingerprint() == Schemas.builtIn().get("trade").fingerprint()
                && schema.fields().stream().allMatch(field -> field.constraint().equals(Constraint.NONE));
    }

    /** Goes on with the record of this number, the first being 0. */
    public void skipTo(long record) {
        next = record;
    }

    /**
     * Writes the next records back to back. Bytes that no field takes become zero.
     *
     * @param at offset of the first record
     * @throws IndexOutOfBoundsException if they do not lie inside the array
     */
    public void fill(byte[] into, int at, int count) {
        Arrays.fill(into, at, Math.addExact(at, Math.multiplyExact(count, length)), (byte) 0);
        for (int i = 0, record = at; i < count; i++, record += length) {
            draws.start(next);
            filler.fill(into, record, next, draws);
            next++;
        }
    }
}
