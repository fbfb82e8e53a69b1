package io.millrace.expression;

import io.millrace.expression.RandomRules.Rule;
import io.millrace.schema.Schema;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A random expression on {@link ExtremeRecords}, and what stock SpEL says it means. */
public final class CorpusExpression {

    private final Rule rule;
    private final StockSpel stock;

    private CorpusExpression(Rule rule) {
        this.rule = rule;
        this.stock = new StockSpel(rule.stock());
    }

    private static RandomRules rules(Random random, Schema schema) {
        return new RandomRules(random, schema, new ExtremeRecords(random));
    }

    public static CorpusExpression condition(Random random, Schema schema) {
        return new CorpusExpression(rules(random, schema).condition(random.nextInt(3)));
    }

    /** An expression with a value of any type. */
    public static CorpusExpression value(Random random, Schema schema) {
        return new CorpusExpression(rules(random, schema).value(random.nextInt(3)));
    }

    /** An expression with a number. */
    public static CorpusExpression number(Random random, Schema schema) {
        return new CorpusExpression(rules(random, schema).number(random.nextInt(3)));
    }

    public String text() {
        return rule.ours();
    }

    /**
     * Returns the value for a record, null if it is absent.
     *
     * @throws RuntimeException if it has no result
     */
    public @Nullable Object value(Map<String, ? extends @Nullable Object> record) {
        return stock.value(record);
    }

    @Override
    public String toString() {
        return rule.toString();
    }
}
