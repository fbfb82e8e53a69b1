package io.millrace.store.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
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

    @Test
    void shouldRefuseEntriesWithoutChecksums() {
        String text = DefinitionText.write(
                new StoredDefinition(StoredDefinition.Kind.REGION, Map.of("layout", "entries", "key", "id"), null));
        assertThat(DefinitionText.read(text).property("key")).isEqualTo("id");
        String earlier = text.replaceFirst("\"version\" : 2", "\"version\" : 1");
        assertThat(earlier).isNotEqualTo(text);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DefinitionText.read(earlier))
                .withMessageContaining("Its entries have no checksums")
                .withMessageContaining("read the feeds again");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DefinitionText.read(text.replaceFirst("entries", "blocks")))
                .withMessageContaining("Unknown version 2 of a definition. This Millrace reads version 1.");
    }
}
