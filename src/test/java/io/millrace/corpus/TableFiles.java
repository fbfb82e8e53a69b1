package io.millrace.corpus;

import io.millrace.codec.text.format.RecordFormat;
import io.millrace.table.ServedTable;
import io.millrace.table.TableDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Tables of files that contain the records of the corpus. */
final class TableFiles {

    private TableFiles() {}

    /** Returns a pipeline whose records get their fields from a table of binary records or JSON lines. */
    static Place place(Random random, CorpusRecords records, Path folder) {
        boolean binary = random.nextBoolean();
        Path file = folder.resolve(binary ? "rows.bin" : "rows.jsonl");
        Path mapped = random.nextBoolean() ? folder.resolve(random.nextLong() + ".table") : null;
        try {
            Files.write(
                    file,
                    binary ? records.fixed().joined() : new Conversion(records.fixed(), RecordFormat.JSON).text());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ServedTable table = ServedTable.load(
                new TableDefinition("t", file.toString(), CorpusRecords.NUMBER, records.schema(), mapped));
        return PipelinePlace.enriched(binary ? "binary-table" : "json-table", random, records, table);
    }
}
