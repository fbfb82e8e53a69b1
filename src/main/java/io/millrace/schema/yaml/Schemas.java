package io.millrace.schema.yaml;

import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * All schemas by name: built-in ones on the class path under {@code schemas}, and those in a folder of the user, which
 * override them. A schema is read when it is first requested. Thread-safe.
 */
@API(status = API.Status.STABLE)
public final class Schemas {

    private static final String BUILT_IN = "/schemas/";
    private static final String ENDING = ".yml";
    private static final List<String> ENDINGS = List.of(ENDING, ".yaml");

    private final @Nullable Path folder;
    private final Map<String, Schema> read = new ConcurrentHashMap<>();

    private Schemas(@Nullable Path folder) {
        this.folder = folder;
    }

    /** Returns the built-in schemas. */
    public static Schemas builtIn() {
        return new Schemas(null);
    }

    /** The built-in schemas, and those in a folder, one {@code name.yml} or {@code name.yaml} each. */
    public static Schemas in(Path folder) {
        return new Schemas(folder);
    }

    /**
     * Returns the schema of a name.
     *
     * @throws UnknownSchemaException if there is none
     * @throws SchemaException if it has problems
     * @throws UncheckedIOException if it cannot be read
     */
    public Schema get(String name) {
        return read.computeIfAbsent(name, this::read);
    }

    private Schema read(String name) {
        Set<String> known = names();
        if (!known.contains(name)) {
            throw new UnknownSchemaException(name, known);
        }
        try {
            for (String ending : ENDINGS) {
                if (folder != null && Files.exists(folder.resolve(name + ending))) {
                    return read(folder.resolve(name + ending));
                }
            }
            return SchemaReader.read(name + ENDING, resource(name + ENDING));
        } catch (IOException e) {
            throw new UncheckedIOException("Schema '" + name + "' can't be read: " + e.getMessage(), e);
        }
    }

    private static Schema read(Path file) throws IOException {
        try {
            return SchemaReader.read(file);
        } catch (FileSystemException e) {
            throw e;
        } catch (IOException e) { // such as that of a folder, which does not name it
            FileSystemException named = new FileSystemException(file.toString(), null, e.getMessage());
            named.initCause(e);
            throw named;
        }
    }

    /**
     * Returns the names of all schemas, ascending, including invalid ones in the folder.
     *
     * @throws UncheckedIOException if the folder cannot be read
     */
    public Set<String> names() {
        Set<String> names = new TreeSet<>();
        try {
            // Not every packaging can list the class path, so a file contains the built-in names.
            new String(resource("index"), StandardCharsets.UTF_8).lines().forEach(names::add);
            if (folder != null) {
                try (Stream<Path> files = Files.list(folder)) {
                    files.map(file -> file.getFileName().toString())
                            .filter(file -> ENDINGS.stream().anyMatch(file::endsWith))
                            .map(file -> file.substring(0, file.lastIndexOf('.')))
                            .forEach(names::add);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Folder '" + folder + "' can't be listed: " + e.getMessage(), e);
        }
        return names;
    }

    private static byte[] resource(String file) throws IOException {
        try (InputStream in = Schemas.class.getResourceAsStream(BUILT_IN + file)) {
            if (in == null) {
                throw new IOException("Missing resource '" + BUILT_IN + file + "'.");
            }
            return in.readAllBytes();
        }
    }
}
