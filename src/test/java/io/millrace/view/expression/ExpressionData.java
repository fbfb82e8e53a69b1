package io.millrace.view.expression;

import io.millrace.TestBudget;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.Order;
import io.millrace.view.Orders;
import io.millrace.view.RecordViews;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import swaps.Swap;

/**
 * Objects of one type, their views, and random expressions of them.
 *
 * @param rule returns the rule for an expression
 * @param springCompiled least number of expressions that Spring compiles for views
 * @param onBytes least number of expressions that Millrace compiles, and that have a value for a record
 */
record ExpressionData<T>(
        String name,
        RecordViews<T> views,
        Schema schema,
        List<T> objects,
        List<String> expressions,
        UnaryOperator<String> rule,
        int springCompiled,
        int onBytes) {

    /** Objects of each type. */
    static final int RECORDS = 24;

    /** Most elements of a list. */
    static final int MAX_ELEMENTS = 3;

    private static final long SEED = 20261128 + Long.getLong("millrace.seed", 0);
    private static final int PAYMENTS_AND_SWAPS = TestBudget.of(2000);
    private static final int OTHERS = TestBudget.of(1200);

    static Stream<ExpressionData<?>> all() {
        return Stream.of(
                of("transfers", Transfer.class, Transfers.SCHEMA, Transfers::next, PAYMENTS_AND_SWAPS, 130, 155),
                of("swaps", Swap.class, swapSchema(), PlainSwap::next, PAYMENTS_AND_SWAPS, 130, 128),
                of("deals of subclasses", LegDeal.class, LegDeal.SCHEMA, LegDeal::next, OTHERS, 52, 100),
                of("desks of desks", Desk.class, Desk.SCHEMA, Desk::next, OTHERS, 64, 85),
                orders("orders of the fixed layout", Orders.FIXED, 72, 40),
                orders("orders of the compact layout", Orders.COMPACT, 70, 70));
    }

    private static ExpressionData<Order> orders(String name, Schema schema, int springCompiled, int onBytes) {
        int[] ids = {0};
        return of(
                name,
                Order.class,
                schema,
                _ -> Orders.fill(new PlainOrder(), ids[0]++),
                OTHERS,
                springCompiled,
                onBytes);
    }

    private static <T> ExpressionData<T> of(
            String name,
            Class<T> type,
            Schema schema,
            Function<Transfers, T> next,
            int expressions,
            int springCompiled,
            int onBytes) {
        Transfers random = new Transfers(new Random(SEED));
        return new ExpressionData<>(
                name,
                RecordViews.of(type, schema),
                schema,
                Stream.generate(() -> next.apply(random)).limit(RECORDS).toList(),
                new RandomExpressions(type, Transfers.TEXTS, new Random(SEED + name.hashCode())).distinct(expressions),
                type == LegDeal.class ? LegDeal::rule : UnaryOperator.identity(),
                springCompiled,
                onBytes);
    }

    private static Schema swapSchema() {
        Path file = Path.of("examples/swap/schemas/swap.yml");
        try {
            return SchemaReader.read(file.toString(), Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<T> immutable() {
        return objects.stream().map(views::view).toList();
    }

    List<T> mutable() {
        return objects.stream().map(views::edit).toList();
    }

    @Override
    public String toString() {
        return name;
    }
}
