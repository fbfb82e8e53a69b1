package io.millrace.expression;

import io.millrace.schema.Schema;
import java.util.Random;
import java.util.stream.Stream;

/** Random conditions of several parts, for what is tested outside of this package. */
public final class RandomConditions {

    private RandomConditions() {}

    /** Up to three conditions that must all hold, most of them of one field each. */
    public static String next(Random random, Schema schema) {
        RandomRules rules = new RandomRules(random, schema);
        return Stream.generate(() -> rules.condition(random.nextInt(4) / 3).ours())
                .limit(1 + random.nextInt(3))
                .reduce((a, b) -> a + " and " + b)
                .orElseThrow();
    }
}
