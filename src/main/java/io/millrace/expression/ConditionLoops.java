package io.millrace.expression;

import io.millrace.expression.bytecode.ConditionSwitch;
import io.millrace.expression.bytecode.GeneratedLoop;
import io.millrace.expression.bytecode.LoopCompiler;
import io.millrace.expression.bytecode.RecordLoop;
import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.ir.Ir;
import io.millrace.schema.Schema;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Compiles checked conditions to filters and routers, each of as many loops as its code needs.
 *
 * @param schema the schema that the conditions were checked against
 */
record ConditionLoops(Schema schema) {

    /** Returns the conditions that must all hold, in the order in which they are evaluated. */
    static List<Ir> operands(Ir condition) {
        return condition instanceof Ir.And(var operands)
                ? operands.stream()
                        .flatMap(operand -> operands(operand).stream())
                        .toList()
                : List.of(condition);
    }

    /** Returns the condition that all of these hold. */
    static Ir all(List<Ir> conditions) {
        return conditions.size() == 1 ? conditions.getFirst() : new Ir.And(conditions);
    }

    /**
     * The conditions before the first one that reads elements get a loop of their own, so that elements that were
     * deferred are found only in the records that remain.
     */
    Compiled<BatchFilter> filter(Checked condition) {
        List<Ir> operands = operands(condition.ir());
        int before = (int) operands.stream()
                .takeWhile(operand -> condition.part(operand).step().groups().isEmpty())
                .count();
        if (before == 0 || before == operands.size()) {
            return filter(condition, operands);
        }
        Compiled<BatchFilter> first = filter(condition, operands.subList(0, before));
        Compiled<BatchFilter> rest = filter(condition, operands.subList(before, operands.size()));
        return explained(condition, Parts.filters(first.loop(), rest.loop()), first.codeBytes() + rest.codeBytes());
    }

    private Compiled<BatchFilter> filter(Checked condition, List<Ir> operands) {
        Compiled<BatchFilter> filter = Parts.of(
                operands,
                Parts.MAX,
                some -> oneFilter(condition.part(all(some))),
                (first, _, second) -> Parts.filters(first, second));
        return explained(condition, filter.loop(), filter.codeBytes());
    }

    /** @param condition the whole one, which its parts need not explain */
    private Compiled<BatchFilter> explained(Checked condition, BatchFilter loop, int codeBytes) {
        return new Compiled<>(loop, codeBytes, List.of(condition.explanation(schema)));
    }

    /** Compiles a condition to one loop or, if it has alternatives, to as many as they need. */
    private Compiled<BatchFilter> oneFilter(Checked condition) {
        try {
            return Compiled.of(
                    schema, List.of(condition), compiler -> filter(compiler, condition.ir()), ElementLoops::filter);
        } catch (ExpressionException e) {
            if (e.code() == ErrorCode.TOO_LARGE && condition.ir() instanceof Ir.Or(var alternatives)) {
                Compiled<BatchRouter> router =
                        router(alternatives.stream().map(condition::part).toList());
                return explained(condition, Parts.anyOf(router.loop()), router.codeBytes());
            }
            throw e;
        }
    }

    private static GeneratedLoop<BatchFilter> filter(LoopCompiler compiler, Ir condition) {
        GeneratedLoop<RecordLoop> generated = compiler.filter(condition);
        RecordLoop branching = generated.loop();
        return compiler.branchFreeFilter(condition)
                .map(branchFree -> new GeneratedLoop<BatchFilter>(
                        new SampledFilter(branching, branchFree.loop()),
                        generated.codeBytes() + branchFree.codeBytes()))
                .orElseGet(() -> new GeneratedLoop<>(
                        (batch, rejects) -> branching.runAll(batch, null, rejects), generated.codeBytes()));
    }

    /** Compiles conditions of which the first that holds determines the branch. */
    Compiled<BatchRouter> router(List<Checked> conditions) {
        Compiled<BatchRouter> router = runs(conditions);
        boolean readsElements = conditions.stream()
                .anyMatch(condition -> !condition.step().groups().isEmpty());
        // Found once, for all records: a later part gets only some of them.
        return readsElements
                ? new Compiled<>(ElementLoops.router(router.loop()), router.codeBytes(), router.expressions())
                : router;
    }

    /** Compiles conditions that one switch decides to a loop of their own. */
    private Compiled<BatchRouter> runs(List<Checked> conditions) {
        List<Ir> nodes = conditions.stream().map(Checked::ir).toList();
        int first = 0;
        while (first < nodes.size() && ConditionSwitch.end(nodes, first) == first) {
            first++;
        }
        if (first == nodes.size()) {
            return Parts.of(conditions, Parts.MAX, this::oneRouter, Parts::routers);
        }
        int middle = first > 0 ? first : ConditionSwitch.end(nodes, 0);
        return middle == nodes.size()
                ? Parts.of(conditions, middle, this::oneRouter, Parts::routers)
                : Parts.joined(
                        runs(conditions.subList(0, middle)),
                        middle,
                        runs(conditions.subList(middle, conditions.size())),
                        Parts::routers);
    }

    private Compiled<BatchRouter> oneRouter(List<Checked> conditions) {
        return Compiled.of(
                schema,
                conditions,
                compiler -> compiler.router(conditions.stream().map(Checked::ir).toList())
                        .as(loop -> loop::runAll),
                UnaryOperator.identity());
    }
}
