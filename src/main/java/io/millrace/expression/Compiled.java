package io.millrace.expression;

import io.millrace.expression.bytecode.GeneratedLoop;
import io.millrace.expression.bytecode.LoopCompiler;
import io.millrace.expression.bytecode.LoopSource;
import io.millrace.expression.bytecode.OversizedCodeException;
import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.Place;
import io.millrace.schema.Schema;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * A compiled loop and the explanations of its expressions. Immutable.
 *
 * @param loop processes batches
 * @param codeBytes length of the generated code in bytes; a filter may have two loops, of which each batch uses one
 * @param expressions the explanations, in the order in which the expressions were passed
 */
@API(status = API.Status.STABLE)
public record Compiled<T>(T loop, int codeBytes, List<Explanation> expressions) {

    public Compiled {
        expressions = List.copyOf(expressions);
    }

    /**
     * Compiles checked expressions to one loop.
     *
     * @param schema the schema that they were checked against
     * @param expressions at least one
     * @param onElements returns a loop that finds elements before it runs the one that it gets
     */
    static <T> Compiled<T> of(
            Schema schema,
            List<Checked> expressions,
            Function<LoopCompiler, GeneratedLoop<T>> compilation,
            UnaryOperator<T> onElements) {
        List<LoopSource.Step> steps = expressions.stream().map(Checked::step).toList();
        try {
            GeneratedLoop<T> generated = compilation.apply(new LoopCompiler(new LoopSource(schema, steps)));
            boolean readsElements =
                    steps.stream().anyMatch(step -> !step.groups().isEmpty());
            return new Compiled<>(
                    readsElements ? onElements.apply(generated.loop()) : generated.loop(),
                    generated.codeBytes(),
                    expressions.stream()
                            .map(checked -> checked.explanation(schema))
                            .toList());
        } catch (OversizedCodeException e) {
            throw new Place(steps.getFirst().expression(), 0)
                    .error(ErrorCode.TOO_LARGE, String.valueOf(e.getMessage()), "split it into several steps");
        }
    }

    /** Returns the names of all fields that the expressions read. */
    public Set<String> reads() {
        return expressions.stream()
                .flatMap(explanation -> explanation.reads().stream())
                .map(FieldPlace::name)
                .collect(Collectors.toSet());
    }
}
