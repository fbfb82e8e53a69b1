package io.millrace.cli.convert;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import io.millrace.cli.error.CommandErrorCode;
import io.millrace.cli.file.FileCommand;
import io.millrace.cli.file.Progress;
import io.millrace.cli.file.ReplacedFile;
import io.millrace.cli.file.SchemaOptions;
import io.millrace.cli.file.StandardStreams;
import io.millrace.codec.file.ContentCheck;
import io.millrace.codec.file.FileErrors;
import io.millrace.codec.text.BadRecord;
import io.millrace.codec.text.ConversionResult;
import io.millrace.codec.text.CsvException;
import io.millrace.codec.text.format.RecordFormat;
import io.millrace.schema.Schema;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Converts files of records between CSV, JSON lines and binary records. */
@Command(
        name = "convert",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  millrace convert --schema trade trades.csv trades.bin",
            "  millrace convert --schema trade --rejects bad.csv trades.csv trades.bin",
            "  millrace convert --schema trade trades.bin trades.jsonl",
            "  gzip -dc trades.csv.gz | millrace convert --schema trade --from csv --to bin - trades.bin"
        },
        description = {
            "Converts records between CSV, JSON lines and binary records.",
            "Records that can't be converted are reported on stderr. No file is written then, unless --rejects is set."
        })
public final class ConvertCommand extends FileCommand {

    /** Larger than what a check of the content reads. */
    private static final int BUFFER_BYTES = 1 << 17;

    @Mixin
    private SchemaOptions schemas = new SchemaOptions();

    /** The formats of a file of records. */
    enum Form {
        csv(RecordFormat.CSV, "csv"),
        json(RecordFormat.JSON, "jsonl|ndjson|json"),
        bin(RecordFormat.BINARY, "bin");

        private final RecordFormat format;
        /** Regular expression of the endings of file names. */
        private final String endings;

        Form(RecordFormat format, String endings) {
            this.format = format;
            this.endings = endings;
        }
    }

    @Option(
            names = "--from",
            paramLabel = "csv|json|bin",
            description = "Format of the input; by default that of its file ending.")
    private @Nullable Form from;

    @Option(
            names = "--to",
            paramLabel = "csv|json|bin",
            description = "Format of the output; by default that of its file ending.")
    private @Nullable Form to;

    @Option(
            names = "--rejects",
            paramLabel = "FILE",
            description = "File for records that can't be converted, each after the reason. The others are converted.")
    private @Nullable Path rejects;

    @Parameters(
            index = "0",
            paramLabel = "IN",
            description = "File, or - for the standard input, which requires --from.")
    private Path in = Path.of("");

    @Parameters(
            index = "1",
            paramLabel = "OUT",
            description = "File, or - for the standard output, which requires --to and is written immediately.")
    private Path out = Path.of("");

    @Override
    protected int run() throws IOException {
        Form source = from != null ? from : formOf(in, "--from");
        Form target = to != null ? to : formOf(out, "--to");
        if (rejects != null && StandardStreams.isMeant(rejects)) {
            throw usage("Invalid file '-' for '--rejects'. Name a file.");
        }
        if (source == target) {
            throw usage("Both files are " + source + ". Choose two of csv, json and bin.");
        }
        Schema schema = schemas.schema();
        ConversionResult result;
        try (InputStream input = open(source, schema);
                ReplacedFile output = new ReplacedFile(out)) {
            result = rejects == null
                    ? source.format.convert(target.format, schema, input, output.stream(), this::report)
                    : convertAndKeep(schema, source, target, input, output.stream(), rejects);
            if (result.bad() == 0 || rejects != null) {
                output.commit();
            }
        } catch (CsvException e) {
            // A problem of the schema has a code of its own, and is not one of the file.
            wrong(
                    CommandErrorCode.INVALID_CSV,
                    e.problems().stream()
                            .map(problem -> problem.endsWith("]") ? problem : in + ": " + problem)
                            .toList());
            return INPUT_WRONG;
        }
        if (result.bad() > 0) {
            err().println(result.bad() + " of " + (result.records() + result.bad()) + " records could not be converted"
                    + (rejects == null ? untouched() : ". See '" + rejects + "'."));
        }
        return result.bad() == 0 || rejects != null ? SUCCESS : INPUT_WRONG;
    }

    private String untouched() {
        return StandardStreams.isMeant(out)
                ? ". The others were written."
                : ". Nothing was written. To write the others, use --rejects FILE.";
    }

    /** Opens the input, and refuses content of another format. */
    private InputStream open(Form form, Schema schema) throws IOException {
        String refusal = StandardStreams.isMeant(in) ? null : FileErrors.refusal(in);
        if (refusal != null) {
            throw new IOException(refusal);
        }
        InputStream input = new BufferedInputStream(Progress.writing(out).open(in), BUFFER_BYTES);
        try {
            input.mark(BUFFER_BYTES);
            if (form == Form.csv) {
                ContentCheck.requireCsv(in.toString(), ContentCheck.head(input));
            } else if (form == Form.json) {
                ContentCheck.requireJsonLines(in.toString(), ContentCheck.head(input));
            } else {
                ContentCheck.requireRecords(in.toString(), ContentCheck.head(input, schema), schema);
            }
            input.reset();
            return input;
        } catch (IOException e) {
            input.close();
            throw e;
        }
    }

    private Form formOf(Path file, String option) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        for (Form form : Form.values()) {
            if (name.matches(".*\\.(" + form.endings + ")")) {
                return form;
            }
        }
        throw usage("Unknown form of file '" + file + "'. Use a name that ends in .csv, .jsonl or .bin, or the option "
                + option + ".");
    }

    private ConversionResult convertAndKeep(
            Schema schema, Form source, Form target, InputStream input, OutputStream output, Path rejectFile)
            throws IOException {
        try (ReplacedFile kept = new ReplacedFile(rejectFile)) {
            CsvWriter csv = CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(kept.stream());
            ConversionResult result = source.format.convert(target.format, schema, input, output, bad -> {
                report(bad);
                List<String> line = new ArrayList<>(List.of(bad.place() + ": " + String.join(" ", bad.messages())));
                line.addAll(bad.values());
                csv.writeRecord(line);
            });
            csv.flush();
            kept.commit();
            return result;
        }
    }

    private void report(BadRecord bad) {
        bad.messages().forEach(message -> err().println(in + ": " + bad.place() + ": " + message));
    }
}
