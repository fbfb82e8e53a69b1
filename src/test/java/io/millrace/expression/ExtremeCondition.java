package io.millrace.expression;

import io.millrace.expression.RandomRules.Rule;
import io.millrace.schema.Schema;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A random condition on {@link ExtremeRecords}, and what stock SpEL says it means. */
public final class ExtremeCondition {

    private final Rule rule;
    private final StockSpel stock;

    private ExtremeCondition(Rule rule) {
        this.rule = rule;
        this.stock = new StockSpel(rule.stock());
    }

    public static ExtremeCondition next(Random random, Schema schema) {
        return new ExtremeCondition(
                new RandomRules(random, schema, new ExtremeRecords(random)).condition(random.nextInt(3)));
    }

    public String text() {
        return rule.ours();
    }

    /** Whether it holds for a record, or null where it has no result. */
    public @Nullable Boolean holds(Map<String, ? extends @Nullable Object> record) {
        return stock.answer(record);
    }

    @Override
    public String toString() {
        return rule.toString();
    }
}
