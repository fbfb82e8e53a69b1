package io.millrace.store;

import io.millrace.expression.FieldTest;
import io.millrace.expression.LongRanges;

/**
 * A test of one field with what follows from it alone, so that nothing is computed twice for thousands of blocks.
 *
 * @param test the condition
 * @param nameCrc what stands for the field in a block's header
 * @param rejected numbers for which it does not hold
 */
record StoredTest(FieldTest test, int nameCrc, LongRanges rejected) {

    static StoredTest of(FieldTest test) {
        return new StoredTest(test, Block.nameCrc(test.field().name()), LongRanges.ALL.minus(test.accepted()));
    }
}
