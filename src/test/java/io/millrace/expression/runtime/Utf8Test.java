package io.millrace.expression.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.TextForm;
import io.millrace.expression.ir.TextMapping;
import io.millrace.expression.ir.TextNode;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class Utf8Test {

    /** Bytes at the edges of what may stand where. */
    private static final List<Integer> EDGES = List.of(
            0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEE, 0xEF,
            0xF0, 0xF1, 0xF4, 0xF5, 0xF8, 0xFF);

    @Provide
    Arbitrary<List<Integer>> edges() {
        return Arbitraries.of(EDGES).list().ofMinSize(1).ofMaxSize(5);
    }

    @Property(tries = 20000, seed = "20261126")
    void shouldCountWhatJavaDecodesAndRefuseTheRest(@ForAll("edges") List<Integer> values) {
        byte[] bytes = new byte[values.size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (int) values.get(i);
        }
        String decoded = new String(bytes, StandardCharsets.UTF_8);
        if (Arrays.equals(decoded.getBytes(StandardCharsets.UTF_8), bytes)) {
            assertThat(Utf8.units(bytes, 0, bytes.length)).isEqualTo(decoded.length());
        } else {
            assertThatThrownBy(() -> Utf8.units(bytes, 0, bytes.length))
                    .isInstanceOf(RecordException.class)
                    .hasMessageContaining("UTF-8");
        }
    }

    @Test
    void shouldBoundTheBytesOfLettersInTheOtherCase() {
        for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
            if (codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE) {
                String letter = Character.toString(codePoint);
                int width = letter.getBytes(StandardCharsets.UTF_8).length;
                Ir field = new Ir.Load(
                        Field.of("f", new FieldType.StringType(width, StandardCharsets.UTF_8, (byte) 0), 0));
                for (TextMapping mapping : List.of(TextMapping.UPPER, TextMapping.LOWER)) {
                    assertThat(mapping.of(letter).getBytes(StandardCharsets.UTF_8).length)
                            .isLessThanOrEqualTo(TextForm.of(new TextNode.Mapped(mapping, field))
                                    .bound());
                }
            }
        }
    }
}
