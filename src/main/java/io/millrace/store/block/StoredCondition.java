package io.millrace.store.block;

import io.millrace.expression.range.FieldCondition;
import io.millrace.expression.range.LongRanges;

/**
 * A test of one field with derived values, so that they are not recomputed for thousands of blocks.
 *
 * @param test the condition
 * @param nameCrc checksum that identifies the field in a block's header
 * @param rejected numbers for which it does not hold
 */
public record StoredCondition(FieldCondition test, int nameCrc, LongRanges rejected) {

    /** Returns a test with its derived values. */
    public static StoredCondition of(FieldCondition test) {
        return new StoredCondition(
                test, BlockFormat.nameCrc(test.field().name()), LongRanges.ALL.minus(test.accepted()));
    }
}
