package io.millrace.config.plan;

import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Finds the schemas that a configuration names.
 *
 * @param problems receives unknown and invalid schemas
 */
record ConfiguredSchemas(Schemas schemas, PlanProblems problems) {

    /** Returns the schemas of a folder and the built-in ones. The folder need not exist. */
    static ConfiguredSchemas in(Path folder, PlanProblems problems) {
        return new ConfiguredSchemas(Files.isDirectory(folder) ? Schemas.in(folder) : Schemas.builtIn(), problems);
    }

    /**
     * Returns a schema, or null if none is named or the schema can't be loaded.
     *
     * @param at property that names it
     */
    @Nullable
    Schema find(String at, @Nullable String name) {
        return name == null ? null : problems.attempt(at, () -> schemas.get(name));
    }
}
