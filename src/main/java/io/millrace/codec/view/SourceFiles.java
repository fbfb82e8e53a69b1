package io.millrace.codec.view;

import io.millrace.schema.Schema;
import io.millrace.schema.SchemaReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.lang.model.SourceVersion;

/** Writes the sources of interfaces for schemas to a folder of sources. Stateless. */
public final class SourceFiles {

    private SourceFiles() {}

    /** What happened to a file. */
    public enum Change {
        /** The file is new. */
        CREATED,
        /** The file has other content than before. */
        CHANGED,
        /** The file was not written, so that build tools do not compile it again. */
        UNCHANGED
    }

    /** A source file. */
    public record Written(Path file, Change change) {}

    /**
     * Writes an interface for each schema. An error of any schema leaves the folder as it was.
     *
     * @param schemas schema files, in any order
     * @param packageName package of the interfaces; empty for the unnamed one
     * @param folder folder of sources, in which the folders of the package are created
     * @return all files
     * @throws IllegalArgumentException if a schema or the package is invalid, or if two schemas have the same type
     */
    public static List<Written> write(Collection<Path> schemas, String packageName, Path folder) throws IOException {
        if (!packageName.isEmpty() && !SourceVersion.isName(packageName)) {
            throw new IllegalArgumentException(
                    "Invalid package '" + packageName + "'. Use names separated by dots, such as com.example.");
        }
        Path target = folder.resolve(packageName.replace('.', '/'));
        Map<Path, String> sources = new LinkedHashMap<>();
        for (Path schemaFile : schemas) {
            Schema schema = SchemaReader.read(schemaFile);
            Path file = target.resolve(InterfaceSource.typeName(schema) + ".java");
            if (sources.put(file, InterfaceSource.of(schema, packageName)) != null) {
                throw new IllegalArgumentException("Invalid schemas: two of them become " + file
                        + ". Rename one, or write them to different packages.");
            }
        }
        Files.createDirectories(target);
        List<Written> written = new ArrayList<>();
        for (Map.Entry<Path, String> source : sources.entrySet()) {
            written.add(new Written(source.getKey(), write(source.getKey(), source.getValue())));
        }
        return written;
    }

    private static Change write(Path file, String content) throws IOException {
        boolean isNew = !Files.exists(file);
        if (!isNew && Files.readString(file).equals(content)) {
            return Change.UNCHANGED;
        }
        Files.writeString(file, content);
        return isNew ? Change.CREATED : Change.CHANGED;
    }
}
