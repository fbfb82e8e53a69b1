package io.millrace.store.catalog;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DefinitionTextTest {

    @ParameterizedTest
    @ValueSource(strings = {"null", "", "[]", "{}", "{\"version\":1}", "{\"version\":1,\"kind\":\"blocks\"}", "7"})
    void shouldRefuseOtherTexts(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DefinitionText.read(text))
                .withMessageMatching("(?s)(Invalid definition|Unknown).+");
        assertThatIllegalArgumentException().isThrownBy(() -> DefinitionText.readEntries("[" + text + ",null]"));
    }
}
