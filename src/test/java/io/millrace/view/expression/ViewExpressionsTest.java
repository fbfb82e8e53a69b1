package io.millrace.view.expression;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.standard.SpelCompiler;
import org.springframework.expression.spel.standard.SpelExpression;

/** Random expressions, evaluated by Spring on objects and on views of them, interpreted and compiled. */
class ViewExpressionsTest {

    /** Evaluations of an expression per record, so that Spring compiles in mode MIXED. */
    private static final int ROUNDS = 5;

    @ParameterizedTest
    @MethodSource("io.millrace.view.expression.ExpressionData#all")
    void shouldHaveTheResultsOfObjects(ExpressionData<?> data) {
        List<?> immutable = data.immutable();
        List<?> mutable = data.mutable();
        List<String> differences = new ArrayList<>();
        int results = 0;
        int compiled = 0;
        for (String text : data.expressions()) {
            for (SpelCompilerMode mode : SpelCompilerMode.values()) {
                List<Outcome> expected = evaluate(text, mode, data.objects());
                results += (int) expected.stream().filter(Outcome::isValue).count();
                for (List<?> views : List.of(immutable, mutable)) {
                    List<Outcome> actual = evaluate(text, mode, views);
                    for (int i = 0; i < ExpressionData.RECORDS; i++) {
                        if (!expected.get(i).sameAs(actual.get(i))) {
                            differences.add("%s in mode %s of %s: %s%n  but of %s: %s"
                                    .formatted(
                                            text,
                                            mode,
                                            data.objects().get(i),
                                            expected.get(i),
                                            views.get(i),
                                            actual.get(i)));
                            break;
                        }
                    }
                }
            }
            boolean ofViews = isCompiled(text, immutable);
            assertThat(ofViews).as(text).isEqualTo(isCompiled(text, data.objects()));
            compiled += ofViews ? 1 : 0;
        }
        assertThat(differences).isEmpty();
        assertThat(results).isGreaterThan(data.expressions().size() * ExpressionData.RECORDS);
        assertThat(compiled).isGreaterThanOrEqualTo(data.springCompiled());
    }

    private static boolean isCompiled(String text, List<?> roots) {
        SpelExpression expression = Outcome.parse(text, SpelCompilerMode.OFF);
        roots.forEach(root -> Outcome.of(() -> expression.getValue(root)));
        try {
            return SpelCompiler.compile(expression);
        } catch (RuntimeException _) {
            return false;
        }
    }

    private static List<Outcome> evaluate(String text, SpelCompilerMode mode, List<?> roots) {
        SpelExpression expression = Outcome.parse(text, mode);
        List<Outcome> outcomes = List.of();
        for (int round = 0; round < (mode == SpelCompilerMode.MIXED ? ROUNDS : 2); round++) {
            outcomes = roots.stream()
                    .map(root -> Outcome.of(() -> expression.getValue(root)))
                    .toList();
        }
        return outcomes;
    }
}
