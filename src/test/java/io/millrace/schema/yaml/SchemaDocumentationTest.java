package io.millrace.schema.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.schema.Field;
import io.millrace.schema.RecordConstraint;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@code docs/reference/schemas.md} shows is what the reader takes. */
class SchemaDocumentationTest {

    private static final Pattern BLOCK = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
    private static final Pattern INLINE = Pattern.compile("`(\\{ name: [^`]*})`");

    private String page = "";
    private List<String> blocks = List.of();

    @BeforeEach
    void readPage() throws IOException {
        page = Files.readString(Path.of("docs/reference/schemas.md"));
        blocks = BLOCK.matcher(page).results().map(match -> match.group(1)).toList();
    }

    private static Schema read(String yaml) {
        return SchemaReader.read("t.yml", ("schema: t\nfields:\n" + yaml).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldShowTheBuiltInTrade() {
        Schema shown = SchemaReader.read("trade.yml", blocks.getFirst().getBytes(StandardCharsets.UTF_8));

        assertThat(shown.fields())
                .containsExactlyElementsOf(Schemas.builtIn().get("trade").fields());
    }

    @Test
    void shouldShowGroupsAndBitFieldsThatCanBeRead() {
        assertThat(read(blocks.get(1)).names())
                .containsExactly("legs[0].amount", "legs[0].side", "legs[1].amount", "legs[1].side");
        assertThat(read(blocks.get(3)).recordLength()).isEqualTo(2);
    }

    @Test
    void shouldShowNamedTypesThatCanBeRead() {
        Schema shown = SchemaReader.read("deal.yml", blocks.get(2).getBytes(StandardCharsets.UTF_8));

        assertThat(shown.names())
                .contains("broker.fee", "account.number", "account.parent.number", "account.parent.parent.number")
                .noneMatch(name -> name.contains("parent.parent.parent"));
        assertThat(shown.groups().getFirst().fields())
                .extracting(Field::name)
                .contains("legs[].notional", "legs[].fixedLeg.rate");
        assertThat(shown.constraints()).extracting(RecordConstraint::name).containsExactly("choice-legs");
    }

    @Test
    void shouldShowATaggedSchema() {
        Schema shown = SchemaReader.read("calls.yml", blocks.get(5).getBytes(StandardCharsets.UTF_8));

        assertThat(shown.names())
                .containsExactly(
                        "identifier",
                        "msisdn",
                        "status",
                        "proxyState[0]",
                        "proxyState[1]",
                        "proxies",
                        "imsi",
                        "network",
                        "lac",
                        "eci");
    }

    @Test
    void shouldShowAFieldOfEachTypeThatCanBeRead() {
        List<String> examples = INLINE.matcher(page)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();

        assertThat(examples)
                .hasSizeGreaterThan(12)
                .allSatisfy(example -> assertThat(read("  - { name: amount1, type: u8 }\n  - " + example + "\n")
                                .names())
                        .hasSize(2));
    }
}
