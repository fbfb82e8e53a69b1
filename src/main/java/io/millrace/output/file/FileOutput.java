package io.millrace.output.file;

import static io.millrace.schema.ProblemCode.SCHEMA_MISMATCH;

import io.millrace.codec.file.FileErrors;
import io.millrace.codec.text.CsvException;
import io.millrace.codec.text.format.RecordFormat;
import io.millrace.extension.ConnectionCheck;
import io.millrace.extension.PropertyCheck;
import io.millrace.output.OutputContext;
import io.millrace.output.OutputDefinition;
import io.millrace.output.OutputWriter;
import io.millrace.schema.Schema;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Files in a folder, one for each partition of each pipeline, such as {@code trades-0.jsonl}.
 *
 * @param folder folder of the files
 * @param format format of the files
 */
record FileOutput(Path folder, RecordFormat format) implements OutputDefinition {

    @Override
    public String describe() {
        return "files in " + folder;
    }

    @Override
    public void check(Schema schema, PropertyCheck check) {
        boolean varies = schema.layout().variesInLength();
        if (varies && schema.recordLength() > schema.foundLength()) {
            check.problem(
                    SCHEMA_MISMATCH,
                    "",
                    "Files can't contain fields that steps add to records of the layout '"
                            + schema.layout().name() + "'. Send these records to a region.");
        } else if (varies && format == RecordFormat.BINARY && !schema.layout().nests()) {
            check.problem(
                    SCHEMA_MISMATCH,
                    "format",
                    "Records of the layout '" + schema.layout().name()
                            + "' can only be written as json or csv. Use format: json.");
        } else {
            try {
                format.writer(schema.stored(), OutputStream.nullOutputStream());
            } catch (CsvException e) {
                e.problems().forEach(problem -> check.report("format", problem));
            }
        }
    }

    @Override
    public void connect(ConnectionCheck check) {
        String refusal = FileErrors.folderRefusal(folder);
        if (refusal == null) {
            check.ok(Files.exists(folder) ? "" : "the folder will be created");
        } else {
            check.failed(refusal);
        }
    }

    @Override
    public OutputWriter create(OutputContext context) {
        return new FileOutputWriter(folder.resolve(context.name() + ending()), format, context);
    }

    private String ending() {
        return switch (format) {
            case CSV -> ".csv";
            case JSON -> ".jsonl";
            case BINARY -> ".bin";
        };
    }
}
