package io.millrace.feed.generator;

import io.millrace.codec.RecordCodec;
import io.millrace.schema.Constraint;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import java.util.Arrays;

/**
 * Generates valid records: the same ones for the same schema and seed, regardless of batch sizes. Trades are realistic;
 * records of other schemas have random values that their fields accept.
 *
 * <p>Not thread-safe. Filling allocates nothing.
 */
public final class RecordGenerator {

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
     * Returns a generator that starts at the first record.
     *
     * @throws IllegalArgumentException if no text was found that matches a field's pattern
     */
    public static RecordGenerator of(Schema schema, long seed) {
        RecordCodec codec = RecordCodec.of(schema.base());
        Filler filler = isTrade(schema.base()) ? new TradeFiller(codec) : new AnyFiller(codec);
        return new RecordGenerator(schema.baseLength(), filler, seed);
    }

    /**
     * Returns whether the schema is equivalent to the built-in trade schema and has no constraints, which generated
     * values might violate.
     */
    private static boolean isTrade(Schema schema) {
        return schema.fingerprint() == Schemas.builtIn().get("trade").fingerprint()
                && schema.fields().stream().allMatch(field -> field.constraint().equals(Constraint.NONE));
    }

    /** Continues with the record of this number, from 0 on. */
    public void skipTo(long record) {
        next = record;
    }

    /**
     * Writes the next records back to back. Bytes outside of all fields become zero.
     *
     * @param at offset of the first record
     * @throws IndexOutOfBoundsException if the records do not fit the array
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
