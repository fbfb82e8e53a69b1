package io.millrace.cli.model;

import io.millrace.cli.error.CommandErrorCode;
import io.millrace.cli.file.Progress;
import io.millrace.cli.file.StandardStreams;
import io.millrace.codec.file.FileErrors;
import io.millrace.model.ModelException;
import io.millrace.model.ModelFile;
import io.millrace.model.ModelSchema;
import io.millrace.model.ModelWriter;
import io.millrace.model.sample.InferredTypes;
import io.millrace.model.sample.SampleFormat;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Imports a schema from files with samples, and checks that it reads all of them. */
abstract class ModelSampleCommand extends ModelImportCommand {

    private static final int BUFFER_BYTES = 1 << 16;
    private static final int MAX_SHOWN = 20;

    private final SampleFormat format;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Name of the schema; by default that of the first file, without its ending.")
    private @Nullable String name;

    @Option(
            names = "--dictionaries",
            description =
                    "Texts become an enum if few distinct ones occur often. Records with other texts are rejected.")
    private boolean dictionaries;

    @Option(
            names = "--smallest-integers",
            description = "Integers get the smallest type that holds all samples, instead of 64 bits.")
    private boolean smallestIntegers;

    @Parameters(
            arity = "1..*",
            paramLabel = "INPUT",
            description = "Files with samples of one type of records, or - for standard input.")
    private List<Path> inputs = List.of();

    /** Copy of standard input, which is read several times. */
    private @Nullable Path received;

    ModelSampleCommand(SampleFormat format) {
        this.format = format;
    }

    @Override
    protected final int run() throws IOException {
        try {
            return importSamples();
        } finally {
            if (received != null) {
                Files.delete(received);
            }
        }
    }

    private int importSamples() throws IOException {
        for (Path input : inputs) {
            String refusal = StandardStreams.isMeant(input) ? null : FileErrors.refusal(input);
            if (refusal != null) {
                throw new IOException(refusal);
            }
        }
        ModelSchema imported =
                format.infer(name(), new InferredTypes(dictionaries, smallestIntegers), inputs, this::open);
        Schema plain = SchemaReader.read(
                imported.name() + ".yml", ModelWriter.write(imported).getBytes(StandardCharsets.UTF_8));
        List<String> rejects = new ArrayList<>();
        long records = format.convert(plain, inputs, this::open, rejects::add);
        if (!rejects.isEmpty()) {
            throw new ModelException(shown(rejects));
        }
        ModelFile file = merge(imported);
        if (!file.isNew() && !file.notes().isEmpty()) {
            records = format.convert(file.schema(), inputs, this::open, rejects::add);
            wrong(CommandErrorCode.INVALID_MODEL, shown(rejects));
        }
        int exit = finish(file);
        out().println(records + " records read with this schema, " + (rejects.isEmpty() ? "none" : "others")
                + " rejected.");
        return exit;
    }

    private static List<String> shown(List<String> rejects) {
        List<String> shown = new ArrayList<>(rejects.subList(0, Math.min(rejects.size(), MAX_SHOWN)));
        if (rejects.size() > MAX_SHOWN) {
            shown.add("More samples are rejected: " + (rejects.size() - MAX_SHOWN) + ".");
        }
        return shown;
    }

    private String name() {
        if (name != null) {
            return name;
        }
        if (StandardStreams.isMeant(inputs.getFirst())) {
            throw new IllegalArgumentException("Missing name of the schema. Use --name with standard input.");
        }
        String file = String.valueOf(inputs.getFirst().getFileName());
        int dot = file.indexOf('.', 1);
        return (dot < 0 ? file : file.substring(0, dot)).replaceAll("[^A-Za-z0-9_-]", "-");
    }

    private InputStream open(Path file) throws IOException {
        return new BufferedInputStream(
                StandardStreams.isMeant(file)
                        ? Files.newInputStream(received())
                        : Progress.ofCommand().open(file),
                BUFFER_BYTES);
    }

    private Path received() throws IOException {
        if (received == null) {
            received = Files.createTempFile("millrace-model-", ".samples");
            Files.copy(StandardStreams.in(), received, StandardCopyOption.REPLACE_EXISTING);
        }
        return received;
    }
}
