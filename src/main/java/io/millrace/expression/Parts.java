package io.millrace.expression;

import io.millrace.codec.RecordBatch;
import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * Compiles many expressions to several loops, one after the other over the whole batch: the JIT compiler leaves large
 * methods interpreted, and optimizes those below its limit the less the larger they are.
 */
final class Parts {

    /** Expressions of one loop. */
    static final int MAX = 32;

    private Parts() {}

    /** Joins two loops to one. */
    @FunctionalInterface
    interface Join<T> {

        /**
         * Returns a loop that runs both.
         *
         * @param count number of expressions of the first
         */
        T of(T first, int count, T second);
    }

    /**
     * Compiles expressions, by halves if they are too many, or their code is too large.
     *
     * @param max number of expressions of one loop
     * @throws ExpressionException for an expression that alone is too large, and for other mistakes
     */
    static <E, T> Compiled<T> of(List<E> expressions, int max, Function<List<E>, Compiled<T>> compiler, Join<T> join) {
        if (expressions.size() <= max) {
            try {
                return compiler.apply(expressions);
            } catch (ExpressionException e) {
                if (e.code() != ErrorCode.TOO_LARGE || expressions.size() == 1) {
                    throw e;
                }
            }
        }
        int middle = expressions.size() / 2;
        Compiled<T> first = of(expressions.subList(0, middle), max, compiler, join);
        Compiled<T> second = of(expressions.subList(middle, expressions.size()), max, compiler, join);
        return joined(first, middle, second, join);
    }

    /** @param count number of expressions of the first */
    static <T> Compiled<T> joined(Compiled<T> first, int count, Compiled<T> second, Join<T> join) {
        return new Compiled<>(
                join.of(first.loop(), count, second.loop()),
                first.codeBytes() + second.codeBytes(),
                Stream.concat(first.expressions().stream(), second.expressions().stream())
                        .toList());
    }

    /** Joins loops of conditions that must all hold: the second gets the records for which those of the first do. */
    static BatchFilter filters(BatchFilter first, BatchFilter second) {
        return (batch, rejects) -> {
            first.apply(batch, rejects);
            second.apply(batch, rejects);
        };
    }

    /** Returns a filter that retains the records for which any condition of a router holds. */
    static BatchFilter anyOf(BatchRouter router) {
        return (batch, rejects) -> {
            int[] branches = new int[batch.selected()];
            router.route(batch, branches, rejects);
            selectWhere(batch, branches, branch -> branch != BatchRouter.NONE);
        };
    }

    /** Joins loops of assignments: the second sees what the first has assigned. */
    static BatchSetter setters(BatchSetter first, BatchSetter second) {
        return (batch, rejects) -> {
            first.apply(batch, rejects);
            second.apply(batch, rejects);
        };
    }

    /** Joins loops of conditions: the second gets the records for which no condition of the first holds. */
    static BatchRouter routers(BatchRouter first, int count, BatchRouter second) {
        return (batch, branches, rejects) -> {
            first.route(batch, branches, rejects);
            int[] ordinals = Arrays.copyOf(batch.selection(), batch.selected());
            int open = selectWhere(batch, branches, branch -> branch == BatchRouter.NONE);
            int[] ofOpen = new int[open];
            if (open > 0) {
                second.route(batch, ofOpen, rejects);
            }
            merge(batch, ordinals, branches, ofOpen, count);
        };
    }

    /** Selects the records whose branch passes the test, and returns their number. */
    private static int selectWhere(RecordBatch batch, int[] branches, IntPredicate test) {
        int selected = 0;
        for (int i = 0; i < batch.selected(); i++) {
            if (test.test(branches[i])) {
                batch.selection()[selected++] = batch.selection()[i];
            }
        }
        batch.select(selected);
        return selected;
    }

    /**
     * Selects the records that both loops have kept, in the order that they had.
     *
     * @param ordinals of the records that the first has kept
     * @param branches of these; those of the result are written there
     * @param ofOpen branches of the records that the second has kept
     */
    private static void merge(RecordBatch batch, int[] ordinals, int[] branches, int[] ofOpen, int count) {
        int[] kept = Arrays.copyOf(batch.selection(), batch.selected());
        int next = 0;
        int to = 0;
        for (int i = 0; i < ordinals.length; i++) {
            int branch = branches[i];
            if (branch == BatchRouter.NONE) {
                if (next == kept.length || kept[next] != ordinals[i]) {
                    continue; // rejected by the second
                }
                branch = ofOpen[next] == BatchRouter.NONE ? BatchRouter.NONE : count + ofOpen[next];
                next++;
            }
            batch.selection()[to] = ordinals[i];
            branches[to++] = branch;
        }
        batch.select(to);
    }
}
