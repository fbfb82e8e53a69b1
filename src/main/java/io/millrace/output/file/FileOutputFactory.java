package io.millrace.output.file;

import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.UNREADABLE_FILE;

import io.millrace.extension.PropertyCheck;
import io.millrace.output.OutputDefinition;
import io.millrace.output.OutputFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Outputs of files: one for each partition of each pipeline. */
public final class FileOutputFactory implements OutputFactory<FileOutputProperties> {

    @Override
    public String name() {
        return "file";
    }

    @Override
    public Class<FileOutputProperties> propertiesType() {
        return FileOutputProperties.class;
    }

    @Override
    public @Nullable OutputDefinition define(FileOutputProperties properties, PropertyCheck check) {
        Path folder = properties.folder();
        if (folder == null) {
            check.problem(MISSING_VALUE, "folder", "Missing value: the folder of the files.");
            return null;
        }
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            check.problem(UNREADABLE_FILE, "folder", "'" + folder + "' is a file. Name a folder.");
        }
        return new FileOutput(folder.toAbsolutePath().normalize(), properties.format());
    }
}
