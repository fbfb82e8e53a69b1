package io.millrace.model;

import io.millrace.schema.Schema;
import io.millrace.schema.evolution.SchemaDescription;
import io.millrace.schema.evolution.SchemaEvolution;
import io.millrace.schema.yaml.SchemaException;
import io.millrace.schema.yaml.SchemaReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file of an imported schema, {@code NAME.yml}. Next to it, {@code NAME.yml.imported} contains the text of the last
 * import, so that the next one finds out what was edited since. Not thread-safe.
 */
public final class ModelFile {

    /** Follows the name of a schema file in the name of the file that contains its last import. */
    public static final String IMPORTED = ".imported";

    private final Path file;
    private final Path importedFile;
    private final ModelSchema imported;
    private final @Nullable ModelSchema last;
    private final @Nullable ModelSchema current;
    private final ModelMerge.Result merge;
    private final @Nullable Schema before;
    private final Schema schema;

    private ModelFile(
            Path file,
            Path importedFile,
            ModelSchema imported,
            @Nullable ModelSchema last,
            @Nullable ModelSchema current,
            ModelMerge.Result merge,
            @Nullable Schema before,
            Schema schema) {
        this.file = file;
        this.importedFile = importedFile;
        this.imported = imported;
        this.last = last;
        this.current = current;
        this.merge = merge;
        this.before = before;
        this.schema = schema;
    }

    /**
     * Merges an import with the file of its name, and writes nothing yet.
     *
     * @throws SchemaException if the file is not a valid schema, or would not be one after the merge
     * @throws IOException if a file can't be read
     */
    public static ModelFile merge(Path folder, ModelSchema imported) throws IOException {
        Path file = folder.resolve(imported.name() + ".yml");
        Path importedFile = folder.resolve(imported.name() + ".yml" + IMPORTED);
        ModelSchema current = null;
        Schema before = null;
        if (Files.exists(file)) {
            before = SchemaReader.read(file);
            current = ModelReader.read(Files.readString(file));
        }
        ModelSchema last = null;
        if (current != null && Files.exists(importedFile)) {
            // Named like the schema, so that its name is accepted; messages show the file.
            byte[] bytes = Files.readAllBytes(importedFile);
            SchemaReader.read(file.toString(), bytes);
            last = ModelReader.read(new String(bytes, StandardCharsets.UTF_8));
        }
        ModelMerge.Result merge = ModelMerge.merge(current, last, imported);
        Schema schema = schema(file, ModelWriter.write(merge.schema()));
        return new ModelFile(file, importedFile, imported, last, current, merge, before, schema);
    }

    private static Schema schema(Path file, String text) {
        return SchemaReader.read(file.toString(), text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the schema file. */
    public Path file() {
        return file;
    }

    /** Returns whether the file does not exist yet. */
    public boolean isNew() {
        return current == null;
    }

    /** Returns the merged schema. */
    public Schema schema() {
        return schema;
    }

    /** Returns how the merged schema differs from the file. */
    public List<String> changes() {
        return merge.changes();
    }

    /** Returns the changes with which stored and serialized records of the file can't be read, a phrase each. */
    public List<String> incompatible() {
        return before == null
                ? List.of()
                : SchemaEvolution.between(SchemaDescription.of(before), SchemaDescription.of(schema))
                        .refused();
    }

    /** Returns the changes made by hand that stay although the import differs. */
    public List<String> notes() {
        return merge.notes();
    }

    /**
     * Writes the schema if it differs from the file, and the import. A file whose schema is the same is left as it is,
     * with its comments.
     */
    public void write() throws IOException {
        if (file.getParent() != null) {
            Files.createDirectories(file.getParent());
        }
        if (current == null || !current.sameAs(merge.schema())) {
            replace(file, ModelWriter.write(merge.schema()));
        }
        // An import that differs in comments only is not written: comments made by hand are found by comparison.
        if (last == null || current == null || !last.sameAs(imported)) {
            replace(importedFile, ModelWriter.write(imported));
        }
    }

    private static void replace(Path target, String text) throws IOException {
        Path part = target.resolveSibling("." + target.getFileName() + ".part");
        Files.writeString(part, text);
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
