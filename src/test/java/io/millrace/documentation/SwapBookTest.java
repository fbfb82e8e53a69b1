package io.millrace.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.json.JsonToCompact;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.RecordViews;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import swaps.Swap;
import swaps.SwapBook;

/** The example of the guide to models, and what the guide shows of it and of the example applications. */
class SwapBookTest {

    private static final Path EXAMPLE = Path.of("examples/swap");
    private static final Path GUIDE = Path.of("docs/guides/model-records.md");

    private final Schema schema = SchemaReader.read(EXAMPLE.resolve("schemas/swap.yml"));

    SwapBookTest() throws IOException {}

    @Test
    void shouldUseRecordsAsObjects() throws IOException {
        SwapBook book = new SwapBook(schema);
        JsonToCompact records = new JsonToCompact(schema);
        for (String line : Files.readAllLines(EXAMPLE.resolve("swaps.jsonl"))) {
            byte[] json = line.getBytes(StandardCharsets.UTF_8);
            records.encoder().clear();
            records.append(json, 0, json.length);
            book.add(records.encoder().toBytes());
        }

        assertThat(book.notional("USD")).isEqualByComparingTo("4012001.00");
        Swap confirmed = RecordViews.of(Swap.class, schema).of(book.confirm("S-1001"));
        assertThat(confirmed.getStatus()).isEqualTo(Swap.Status.CONFIRMED);
        assertThat(confirmed.getBuyer().getLei()).contains("529900AAAAAAAAAAAA01");
        assertThat(confirmed.getBroker()).isNull();
        assertThat(confirmed.getLegs().getFirst().getPayments()).hasSize(2);
        assertThat(confirmed.getBooks()).containsExactly("rates", "emea");
        assertThat(book.notional("EUR")).isEqualByComparingTo("50000000");
    }

    @Test
    void shouldShowTheExample() throws IOException {
        Page page = Page.read(GUIDE);
        String java = Files.readString(Path.of("examples/java/swaps/SwapBook.java"))
                + Files.readString(Path.of("examples/generate/src/main/java/billing/Ledger.java"))
                + Files.readString(Path.of("examples/generate/src/main/java/billing/Priced.java"));
        String configuration = Files.readString(EXAMPLE.resolve("swaps.yml"));

        assertThat(page.java())
                .isNotEmpty()
                .allSatisfy(shown -> assertThat(java).contains(shown));
        String poms = Page.withoutIndentation(Files.readString(Path.of("examples/generate/pom.xml"))
                + Files.readString(Path.of("examples/views/pom.xml")));
        assertThat(page.xml())
                .hasSize(2)
                .allSatisfy(shown -> assertThat(poms).contains(Page.withoutIndentation(shown)));
        assertThat(page.yaml()).isNotEmpty().first().asString().isSubstringOf(configuration);
    }
}
