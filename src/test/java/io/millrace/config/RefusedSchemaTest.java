package io.millrace.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.millrace.application.MillraceApplication;
import io.millrace.cli.check.CheckCommand;
import io.millrace.store.query.RegionQueries;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine;

/** A schema that changed in a way that stored records can't be read with: a start is refused, and foretold so. */
@ExtendWith(OutputCaptureExtension.class)
class RefusedSchemaTest {

    private static final String READING = """
            schema: reading
            fields:
              - { name: meter,  type: u32 }
              - { name: kind,   type: enum, values: [Power, Gas] }
              - { name: value,  type: u32 }
              - { name: note,   type: string, length: 6 }
              - { name: amount, type: decimal, scale: 2, as: i64 }
              - { name: low,    type: u8, optional: true, absent: flag }
            """;

    @TempDir
    Path folder;

    /** A change of the text of the schema, and why it is refused. */
    private record Change(String before, String after, String reason) {}

    private static final List<Change> CHANGES = List.of(
            new Change("scale: 2", "scale: 3", "the stored numbers have another scale"),
            new Change("[Power, Gas]", "[Gas, Power]", "Code 0 would have another meaning"),
            new Change("[Power, Gas]", "[Power]", "Code 1 would have no name"),
            new Change("value,  type: u32", "value, type: u16", "not all stored numbers fit"),
            new Change("value,  type: u32", "value, type: i32", "not all stored numbers fit"),
            new Change("length: 6", "length: 5", "not all stored texts fit"),
            new Change(
                    "length: 6 }",
                    "length: 6 }\n  - { name: zone, type: u8 }",
                    "field 'zone' was added (integer u8 at byte 15): stored records have no value. Use"
                            + " 'optional: true' and 'absent: flag'"),
            new Change(", optional: true, absent: flag", "", "the field is required, and stored records may lack it"));

    @Test
    void shouldRefuseToStartAndSayWhatToDo(CapturedOutput output) throws IOException {
        start(READING);
        for (Change change : CHANGES) {
            String changed = READING.replace(change.before(), change.after());
            assertThat(changed).isNotEqualTo(READING);
            int length = output.getAll().length();
            assertThat(catchThrowable(() -> start(changed))).as(changed).isNotNull();
            requireRefusal(output.getAll().substring(length), change.reason());

            StringWriter out = new StringWriter();
            int code = new CommandLine(new CheckCommand())
                    .setOut(new PrintWriter(out, true))
                    .execute(
                            "--against",
                            folder.resolve("data").toString(),
                            folder.resolve("config.yml").toString());
            assertThat(code).isOne();
            assertThat(out.toString()).contains("readings: refused");
            requireRefusal(out.toString().replace("\n    ", "\n"), change.reason());
        }
        start(READING); // nothing was lost by the attempts
    }

    private static void requireRefusal(String text, String reason) {
        assertThat(text)
                .contains("Region 'readings' was stored under another definition, with which its data can't be used:")
                .contains(reason)
                .contains("  stored:     ", "  configured: ")
                .contains("To keep the data, restore the stored definition, or give the new one a region of another"
                        + " name. To discard the data, stop the service and run 'millrace regions remove readings"
                        + " CONFIG'. [changed-definition]")
                .doesNotContain("\tat io.millrace");
    }

    /** Starts a service with this schema, lets it store a record, and stops it. */
    private void start(String schema) throws IOException {
        Files.writeString(folder.resolve("reading.yml"), schema);
        boolean zone = schema.contains("zone");
        Files.writeString(
                folder.resolve("day.csv"),
                "meter,kind,value,note,amount,low" + (zone ? ",zone" : "") + "\n1,Gas,70000,abcdef,1.25,"
                        + (zone ? ",3\n" : "\n"));
        Path config = Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  schemas: FOLDER
                  data: FOLDER/data
                  regions:
                    readings: { layout: blocks, persistent: true }
                  pipelines:
                    day: { feed: { csv: FOLDER/day.csv }, schema: reading, steps: [ { to: readings } ] }
                """.replace("FOLDER", folder.toString()));
        try (ConfigurableApplicationContext context = SpringApplication.run(
                MillraceApplication.class,
                "--server.port=0",
                "--spring.config.additional-location=" + config.toUri())) {
            RegionQueries store = context.getBean(RegionQueries.class);
            await().until(() -> store.info("readings").records() == 1);
        }
    }
}
