package io.millrace.cli;

import io.millrace.feed.generator.RecordGenerator;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a file of made-up records. */
@Command(
        name = "generate",
        mixinStandardHelpOptions = true,
        description = "Writes a file of made-up records, the same ones for the same seed.")
public final class GenerateCommand extends FileCommand {

    private static final int RECORDS_AT_ONCE = 4096;

    @Option(names = "--count", required = true, paramLabel = "N", description = "How many records.")
    private long count;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "Another seed makes other records; ${DEFAULT-VALUE} by default.")
    private long seed;

    @Parameters(index = "0", paramLabel = "OUT")
    private Path out = Path.of("");

    @Override
    int run() throws IOException {
        if (count < 0) {
            throw usage("--count=" + count + " is negative");
        }
        Schema schema = schemas.schema();
        RecordGenerator generator = RecordGenerator.of(schema, seed);
        try (ReplacedFile file = new ReplacedFile(out)) {
            long length = count * schema.baseLength();
            if (Progress.isShown(length)) {
                try (OutputStream stream = ProgressBar.wrap(file.stream(), Progress.bar("generate", length))) {
                    write(generator, schema.baseLength(), stream);
                }
            } else {
                write(generator, schema.baseLength(), file.stream());
            }
            file.commit();
        }
        return FINE;
    }

    private void write(RecordGenerator generator, int length, OutputStream stream) throws IOException {
        byte[] buffer = new byte[length * RECORDS_AT_ONCE];
        for (long left = count; left > 0; left -= RECORDS_AT_ONCE) {
            int records = (int) Math.min(left, RECORDS_AT_ONCE);
            generator.fill(buffer, 0, records);
            stream.write(buffer, 0, records * length);
        }
    }
}
