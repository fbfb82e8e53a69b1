package io.millrace.cli.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class TableCommandTest {

    @TempDir
    private Path folder;

    private String text = "";

    private int table(Object... arguments) {
        StringWriter written = new StringWriter();
        int exit = new CommandLine(new TableCommand())
                .setErr(new PrintWriter(written))
                .setOut(new PrintWriter(written))
                .execute(Arrays.stream(arguments).map(String::valueOf).toArray(String[]::new));
        text = written.toString().replace(folder + "/", "");
        return exit;
    }

    @Test
    void shouldNotBuildATableFromStandardInput() {
        assertThat(table("build", "--key", "id", "-", folder.resolve("desks.table")))
                .isEqualTo(2);
        assertThat(text).contains("Invalid file '-'. The rows are read more than once, so name a file.");
    }

    @Test
    void shouldBuildATableAndLookIntoIt() throws IOException {
        Path csv = Files.writeString(folder.resolve("desks.csv"), "id,name\n1,Paris\n3,Milan\n");
        Path file = folder.resolve("desks.table");
        assertThat(table("build", "--key", "id", csv, file)).as(text).isZero();
        assertThat(text).startsWith("2 rows of 14 bytes in ").contains("direct addressing");
        assertThat(table("get", file, 3)).isZero();
        assertThat(text).isEqualTo("id: 3\nname: Milan\n");
        assertThat(table("get", file, 2)).isEqualTo(1);
        assertThat(text).contains("Unknown key '2' in table file").endsWith("[unknown-key]\n");
        assertThat(table("get", file, "x")).isEqualTo(1);
        assertThat(table("stats", file, "--check")).isZero();
        assertThat(text)
                .contains("rows: 2\n", "key: id\n", "  name at 8, 5 bytes and a null flag\n", "checked: whole\n");
    }

    @Test
    void shouldDistinguishEmptyTextsAndAbsentFields() throws IOException {
        Path json = Files.writeString(
                folder.resolve("desks.jsonl"),
                "{\"id\":1,\"name\":\"\",\"limit\":-1}\n{\"id\":2,\"name\":\"x\"}\n{\"id\":3,\"limit\":0}\n");
        Path file = folder.resolve("desks.table");
        assertThat(table("build", "--key", "id", json, file)).as(text).isZero();
        table("get", file, 1);
        assertThat(text).isEqualTo("id: 1\nname: \"\"\nlimit: -1\n");
        table("get", file, 2);
        assertThat(text).isEqualTo("id: 2\nname: x\nlimit: \n");
        table("get", file, 3);
        assertThat(text).isEqualTo("id: 3\nname: \nlimit: 0\n");
    }

    @Test
    void shouldReportDamage() throws IOException {
        Path csv = Files.writeString(folder.resolve("desks.csv"), "id,name\n1,Paris\n");
        Path file = folder.resolve("desks.table");
        table("build", "--key", "id", csv, file);
        try (RandomAccessFile raw = new RandomAccessFile(file.toFile(), "rw")) {
            raw.seek(raw.length() - 100);
            raw.write(raw.read() + 1);
        }
        assertThat(table("stats", file, "--check")).isEqualTo(1);
        assertThat(text).contains("is corrupt in 1 parts").endsWith(" [corrupt-file]\n");
    }

    @Test
    void shouldKeepTheOldTableWhereTheNewRowsAreBad() throws IOException {
        Path csv = Files.writeString(folder.resolve("desks.csv"), "id,name\n1,Paris\n");
        Path file = folder.resolve("desks.table");
        table("build", "--key", "id", csv, file);
        byte[] before = Files.readAllBytes(file);
        Files.writeString(csv, "id,name\n1,Paris\n1,Milan\n");
        assertThat(table("build", "--key", "id", csv, file)).isEqualTo(1);
        assertThat(text)
                .contains("line 3: Duplicate key '1', first in line 2. Remove one of the rows. [invalid-table]");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        assertThat(table("build", "--key", "id", csv, folder.resolve("desks.bin")))
                .isEqualTo(2);
        assertThat(table()).isEqualTo(2);
    }
}
