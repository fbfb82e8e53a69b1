package io.millrace.web.answer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.util.LinkedMultiValueMap;

class ExpressionListTest {

    private static List<String> split(String... values) {
        LinkedMultiValueMap<String, String> parameters = new LinkedMultiValueMap<>();
        List.of(values).forEach(value -> parameters.add("by", value));
        return ExpressionList.of(parameters, "by");
    }

    @Test
    void shouldPartAtCommasThatAreNotPartOfAnExpression() {
        assertThat(split("a, b desc", "c")).containsExactly("a", "b desc", "c");
        assertThat(split("#least(a, b),{1, 2},x[0,1]")).containsExactly("#least(a, b)", "{1, 2}", "x[0,1]");
        assertThat(split("a == 'x, it''s (', b")).containsExactly("a == 'x, it''s ('", "b");
        assertThat(split("", " , ,a)")).containsExactly("a)");
        assertThat(ExpressionList.of(new LinkedMultiValueMap<>(), "by")).isEmpty();
    }
}
