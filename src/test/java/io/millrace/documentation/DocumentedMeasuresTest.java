package io.millrace.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.check.CheckCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Every message that {@code docs/guides/measures.md} shows for a mistake really comes, in these words. */
class DocumentedMeasuresTest {

    private static final Page MEASURES = Page.read(Path.of("docs/guides/measures.md"));

    @TempDir
    Path folder;

    @Test
    void shouldSayWhatIsWrongWithAMeasure() throws IOException {
        String base = MEASURES.yaml().getFirst();
        SoftAssertions rows = new SoftAssertions();
        for (List<String> row : MEASURES.table("mistakes")) {
            assertThat(base).contains(row.get(0));
            String changed = base.replace(row.get(0), row.get(1).replace(" ; ", "\n            "));
            Path config = Files.writeString(folder.resolve("config.yml"), changed);
            StringWriter err = new StringWriter();
            int code = new CommandLine(new CheckCommand())
                    .setOut(new PrintWriter(new StringWriter()))
                    .setErr(new PrintWriter(err, true))
                    .execute(config.toString());
            rows.assertThat(code).as(row.toString()).isOne();
            rows.assertThat(Page.flat(err.toString()).replace("`", ""))
                    .as(row.toString())
                    .contains(row.get(2));
        }
        rows.assertAll();
    }
}
