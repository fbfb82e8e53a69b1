package io.millrace.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class FormLayoutTest {

    private static final String FORM =
            "(or (and (gt id 1) (in currency1 [1, 5, 7])) (same note 'it''s (a b)') (lt (add decimal2 amount1 amount2) id))";

    @Test
    void shouldLeaveOnOneLineWhatFits() {
        assertThat(FormLayout.lines(FORM, 120)).containsExactly(FORM);
        assertThat(FormLayout.lines("currency1", 5)).containsExactly("currency1");
    }

    @Test
    void shouldPutOperandsBelowTheirOperator() {
        assertThat(FormLayout.lines(FORM, 45))
                .containsExactly(
                        "(or",
                        "  (and (gt id 1) (in currency1 [1, 5, 7]))",
                        "  (same note 'it''s (a b)')",
                        "  (lt (add decimal2 amount1 amount2) id))");
    }

    @Test
    void shouldKeepWordsNextToTheirOperator() {
        assertThat(FormLayout.lines("(choose whole (gt id 1) (add whole id 100) id)", 20))
                .containsExactly("(choose whole", "  (gt id 1)", "  (add whole id 100)", "  id)");
    }

    /** Whatever stands in a form, lines only replace blanks. */
    @Property
    void shouldLoseNothing(
            @ForAll @StringLength(max = 60) @Chars({'(', ')', '[', ']', '\'', ' ', 'a', 'b'}) String inside,
            @ForAll @IntRange(max = 40) int width) {
        String form = "(" + inside + ")";
        List<String> lines = FormLayout.lines(form, width);
        assertThat(String.join("", lines).replace(" ", "")).isEqualTo(form.replace(" ", ""));
    }
}
