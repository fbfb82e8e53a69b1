package io.millrace.measure.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.expression.function.FunctionRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MeasurePlannerTest {

    private static final Windows WINDOWS = new Windows.Sliding(Duration.ofSeconds(1), 1);

    private static List<String> problems(
            List<String> by, Map<String, String> values, @Nullable String time, AlertDefinition... alerts) {
        List<String> problems = new ArrayList<>();
        MeasurePlan plan = new MeasurePlanner(
                        Plans.definition(by, values, WINDOWS, time, 0, 10, alerts),
                        Calls.SCHEMA,
                        FunctionRegistry.empty(),
                        (property, message) -> problems.add(property + ": " + message))
                .plan();
        assertThat(plan == null).isEqualTo(!problems.isEmpty());
        return problems;
    }

    private static String problemOf(String value) {
        List<String> problems = problems(List.of(), Map.of("x", value), null);
        assertThat(problems).hasSize(1);
        return problems.getFirst();
    }

    @Test
    void shouldSayWhatIsWrongWithAValue() {
        assertThat(problemOf("total(cost)"))
                .contains("values[x]: ", "Unknown aggregate function 'total'", "Use one of: count, sum");
        assertThat(problemOf("cuont()")).contains("Did you mean 'count'?");
        assertThat(problemOf("1 + 2")).contains("Missing aggregate function");
        assertThat(problemOf("sum()")).contains("Missing argument in 'sum()'.");
        assertThat(problemOf("sum(cost")).contains("Close the bracket at 3.");
        assertThat(problemOf("sum(district)")).contains("'sum' does not support values of this type.");
        assertThat(problemOf("avg(time)")).contains("'avg' does not support values of this type.");
        assertThat(problemOf("count(csot)")).contains("MR1002", "did you mean 'cost'?");
        assertThat(problemOf("sum(volum)")).contains("MR1002", "did you mean 'volume'?");
        assertThat(problemOf("quantile(cost)")).contains("a number from 0 to 1");
        assertThat(problemOf("quantile(cost, 95)")).contains("a number from 0 to 1");
        assertThat(problemOf("quantile(district, 0.5)")).contains("Use an expression with a number.");
        assertThat(problemOf("max(time) - min(time)")).contains("'max(time)' is not a number.");
        assertThat(problems(List.of(), Map.of(), null))
                .singleElement()
                .asString()
                .contains("Missing values.");
    }

    @Test
    void shouldRefuseMoreGroupsThanAnArrayHolds() {
        List<String> problems = new ArrayList<>();
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < 100; i++) {
            values.put("v" + i, "sum(cost) + " + i);
        }
        assertThat(plan(values, 10_000_000, problems)).isNull();
        assertThat(problems)
                .containsExactly("max-groups: Invalid number '10000000'. Use at most 2599858 with rows of 826 bytes."
                        + " [invalid-number]");
        problems.clear();
        assertThat(plan(values, 2_599_859, problems)).isNull();
        problems.clear();
        assertThat(plan(values, 2_599_858, problems)).isNotNull();
        assertThat(problems).isEmpty();
    }

    private static @Nullable MeasurePlan plan(Map<String, String> values, int groups, List<String> problems) {
        return new MeasurePlanner(
                        Plans.definition(List.of("cell"), values, WINDOWS, null, 0, groups),
                        Calls.SCHEMA,
                        FunctionRegistry.empty(),
                        (property, message) -> problems.add(property + ": " + message))
                .plan();
    }

    @Test
    void shouldPointAtThePlaceInAFormula() {
        assertThat(problemOf("sum(cost) / count() + valeu"))
                .contains(
                        "MR1002: schema calls has no field 'valeu'",
                        "\n  sum(cost) / count() + valeu\n" + " ".repeat(24) + "^");
        assertThat(problemOf("count() > 5")).contains("MR1010").doesNotContain("$0");
    }

    @Test
    void shouldSayWhatIsWrongWithTheRest() {
        Map<String, String> count = Map.of("calls", "count()");
        assertThat(problems(List.of("cell % 10"), count, null))
                .singleElement()
                .asString()
                .contains("by[0]: ", "Write 'cell % 10 as NAME'.");
        assertThat(problems(List.of("cell", "cell % 10 as cell"), count, null))
                .containsExactly("by[1]: Duplicate name 'cell'. Use another name. [invalid-measure]");
        assertThat(problems(List.of("cel"), count, null))
                .singleElement()
                .asString()
                .contains("MR1002");
        assertThat(problems(List.of("cell as calls"), count, null))
                .containsExactly("values[calls]: Duplicate name 'calls'. Use another name. [invalid-measure]");
        assertThat(problems(List.of(), Map.of("end", "count()"), null))
                .containsExactly("values[end]: Reserved name 'end'. Use another name. [invalid-measure]");
        assertThat(problems(List.of(), count, "cost"))
                .containsExactly(
                        "time: Invalid time 'cost'. Use a field or an expression of type instant. [invalid-measure]");
        assertThat(problems(
                        List.of(),
                        count,
                        "time",
                        new AlertDefinition("bad", "call > 5", "calls < 'x'", 1, 1, List.of())))
                .hasSize(2)
                .anySatisfy(
                        problem -> assertThat(problem).contains("alerts[bad].when: MR1002", "did you mean 'calls'?"))
                .anySatisfy(problem -> assertThat(problem).contains("alerts[bad].until: MR1003"));
        assertThat(problems(
                        List.of(),
                        Map.of("state", "count()"),
                        "time",
                        new AlertDefinition("bad", "state > 5", null, 1, 1, List.of())))
                .containsExactly("values[state]: Reserved name 'state'. Use another name. [invalid-measure]");
        assertThat(problems(List.of("cell % 10 as bucket", "district"), count, "time"))
                .isEmpty();
    }
}
