package io.millrace.config.plan;

import static io.millrace.schema.ProblemCode.INVALID_DURATION;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.SCHEMA_MISMATCH;
import static io.millrace.schema.ProblemCode.UNKNOWN_REGION;

import io.millrace.background.DurationText;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.config.properties.Role;
import io.millrace.config.properties.TableProperties;
import io.millrace.schema.NearestName;
import io.millrace.schema.Schema;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.table.LiveTable;
import io.millrace.table.ServedTable;
import io.millrace.table.Table;
import io.millrace.table.TableDefinition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Loads the tables of a configuration, and checks that the regions that they follow fit.
 *
 * @param problems receives what is wrong
 */
record TablePlanner(MillraceProperties properties, ConfiguredSchemas schemas, PlanProblems problems) {

    /** Returns the tables by name. An invalid table is empty. */
    Map<String, Optional<Table>> tables() {
        Map<String, Optional<Table>> tables = new LinkedHashMap<>();
        properties.tables().forEach((name, table) -> {
            Schema schema = schemas.find("tables." + name + ".schema", table.schema());
            boolean wrong = table.schema() != null && schema == null;
            tables.put(name, Optional.ofNullable(wrong ? null : table(name, table, schema)));
        });
        return tables;
    }

    private @Nullable Table table(String name, TableProperties table, @Nullable Schema schema) {
        String at = "tables." + name;
        String file = table.file();
        String region = table.region();
        String key = table.key();
        if ((file == null) == (region == null) || key == null) {
            problems.add(at, MISSING_VALUE.message("Incomplete table. Set 'key', and either 'file' or 'region'."));
            return null;
        }
        if (table.refresh() != null && (region != null || !table.refresh().isPositive())) {
            problems.add(
                    at + ".refresh",
                    INVALID_DURATION.message("Invalid refresh '" + DurationText.of(table.refresh())
                            + "'. Use a duration above 0, and a table with 'file'."));
        }
        if (properties.role() == Role.SERVER && schema != null && !isBuilt(file)) {
            // A server runs no pipeline, so it needs the schema of the table but not its rows.
            Schema rows = file == null ? schema : new TableDefinition(name, file, key, schema, null).rowSchema();
            return problems.attempt(at + ".key", () -> new LiveTable(name, rows, key, "no file: this is a server"));
        }
        if (file != null) {
            return problems.attempt(
                    at + ".file", () -> ServedTable.load(new TableDefinition(name, file, key, schema, table.mapped())));
        }
        if (schema == null || table.mapped() != null) {
            problems.add(
                    at,
                    MISSING_VALUE.message(
                            "Incomplete table of a region. Set 'schema' to that of the region's records, and remove 'mapped'."));
            return null;
        }
        return problems.attempt(at + ".key", () -> new LiveTable(name, schema, key, "region " + region));
    }

    /** Returns whether a file is a built table, which contains its own schema. */
    private static boolean isBuilt(@Nullable String file) {
        return file != null && file.toLowerCase(Locale.ROOT).endsWith(".table") && Files.exists(Path.of(file));
    }

    /** Requires that the regions that tables follow exist, with the same key and schema. */
    void requireFollowable(List<RegionDefinition> regions) {
        properties.tables().forEach((name, table) -> {
            String region = table.region();
            String schema = table.schema();
            if (region != null && schema != null) {
                requireFollowable(name, table, schema, region, regions);
            }
        });
    }

    private void requireFollowable(
            String name, TableProperties table, String schema, String region, List<RegionDefinition> regions) {
        RegionDefinition definition = regions.stream()
                .filter(other -> other.name().equals(region))
                .findFirst()
                .orElse(null);
        if (definition == null) {
            problems.add(
                    "tables." + name + ".region",
                    UNKNOWN_REGION.message("Unknown region '" + region + "'"
                            + NearestName.hint(region, properties.regions().keySet())
                            + " Name a region that a pipeline writes to."));
        } else if (definition.layout() != Layout.ENTRIES
                || !definition.keyFields().equals(List.of(table.key()))) {
            problems.add(
                    "tables." + name + ".region",
                    SCHEMA_MISMATCH.message("Region '" + region
                            + "' does not fit. Use a region with 'layout: entries' and 'key: " + table.key() + "'."));
        } else if (definition.schema().fingerprint()
                != schemas.schemas().get(schema).fingerprint()) {
            problems.add(
                    "tables." + name + ".schema",
                    SCHEMA_MISMATCH.message("Schema '" + schema
                            + "' does not fit the region's records, whose schema is '"
                            + definition.schema().name() + "'."));
        }
    }
}
