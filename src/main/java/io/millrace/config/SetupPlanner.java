package io.millrace.config;

import static io.millrace.schema.ProblemCode.INVALID_DURATION;
import static io.millrace.schema.ProblemCode.INVALID_NAME;
import static io.millrace.schema.ProblemCode.INVALID_NUMBER;
import static io.millrace.schema.ProblemCode.INVALID_REGION;
import static io.millrace.schema.ProblemCode.INVALID_SIZE;
import static io.millrace.schema.ProblemCode.INVALID_TABLE;
import static io.millrace.schema.ProblemCode.INVALID_VALUE;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.SCHEMA_MISMATCH;
import static io.millrace.schema.ProblemCode.SHARED_REGION;
import static io.millrace.schema.ProblemCode.UNKNOWN_REGION;
import static io.millrace.schema.ProblemCode.UNKNOWN_SCHEMA;
import static io.millrace.schema.ProblemCode.UNREADABLE_FILE;
import static io.millrace.schema.ProblemCode.UNUSED_REGION;

import io.millrace.background.DurationText;
import io.millrace.expression.BatchRouter;
import io.millrace.expression.Compiled;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.feed.FeedDefinition;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.definition.PipelinePlanner;
import io.millrace.pipeline.definition.Problem;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.schema.NearestName;
import io.millrace.schema.Schema;
import io.millrace.schema.SchemaDescription;
import io.millrace.schema.SchemaDifference;
import io.millrace.schema.SchemaException;
import io.millrace.schema.Schemas;
import io.millrace.schema.UnknownSchemaException;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.Removals;
import io.millrace.table.LiveTable;
import io.millrace.table.ServedTable;
import io.millrace.table.Table;
import io.millrace.table.TableDefinition;
import io.millrace.table.TableException;
import io.millrace.table.Tables;
import io.millrace.web.page.PlaceMap;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks and compiles a whole configuration: loads schemas and tables, plans every pipeline, and derives the schema of
 * each region. Starts nothing. Not thread-safe; used once.
 *
 * <p>A server runs no pipeline and uses pipelines only to derive the schemas of their regions. It needs neither the
 * files and secrets of feeds nor the files of tables whose schema is configured.
 */
public final class SetupPlanner {

    /** Instances are parts of stored keys, as the names of pipelines are. */
    private static final Pattern BASE_PATH = Pattern.compile("(/[A-Za-z0-9._-]+)+");

    private static final Pattern INSTANCE = Pattern.compile("[A-Za-z0-9._-]+");

    /** Need not exist. */
    private static final Path DEFAULT_SCHEMAS = Path.of("schemas");

    private final MillraceProperties properties;
    private final FunctionRegistry functions;
    private final PipelineReader reader;
    private final Schemas schemas;

    /** By property: the first problem of one counts, others follow from it. */
    private final Map<String, Problem> problems = new LinkedHashMap<>();

    /**
     * @param reader reads the feeds and steps of the pipelines, from the same environment as the properties
     * @param functions functions that expressions may call in addition to the built-in ones
     */
    public SetupPlanner(MillraceProperties properties, PipelineReader reader, FunctionRegistry functions) {
        this.reader = reader;
        this.properties = properties;
        this.functions = functions;
        this.schemas = Files.isDirectory(properties.schemas()) ? Schemas.in(properties.schemas()) : Schemas.builtIn();
    }

    /**
     * Returns the checked and compiled configuration.
     *
     * @throws ConfigurationException with all mistakes, if there are any
     */
    public Setup plan() {
        atLeast("batch-records", properties.batchRecords(), 1);
        requireMillisecond("flush", properties.flush());
        requirePositive("latency", properties.latency());
        if (properties.dataReserve().isNegative()) {
            problem(
                    "data-reserve",
                    INVALID_SIZE.message("Invalid size '" + properties.dataReserve() + "'. Use 0 or more."));
        }
        if (!Files.isDirectory(properties.schemas()) && !properties.schemas().equals(DEFAULT_SCHEMAS)) {
            problem("schemas", UNREADABLE_FILE.message("Folder not found: '" + properties.schemas() + "'."));
        }
        String instance = properties.instance();
        if (instance != null && !INSTANCE.matcher(instance).matches()) {
            problem(
                    "instance",
                    INVALID_NAME.message("Invalid instance '" + instance + "'. Use letters, digits, and . _ - only."));
        }
        requireGood(properties.query());
        requireGood(properties.web());
        Collection<Problem> structure = reader.structureProblems(properties.role() != Role.SERVER);
        if (!structure.isEmpty()) {
            structure.forEach(this::add);
            refuseProblems();
        }
        Map<String, Optional<Table>> tables = tables();
        List<PipelineDefinition> definitions = new ArrayList<>();
        List<PipelinePlan> plans = new ArrayList<>();
        properties.pipelines().forEach((name, pipeline) -> {
            PipelineProperties read = properties.role() == Role.SERVER ? pipeline.withoutFeed() : pipeline;
            Schema schema = schema(name, read);
            FeedDefinition feed = reader.feed(name, read.feed(), schema, this::add);
            List<StepDefinition> steps = reader.steps(name, read.steps(), this::add);
            PipelineDefinition definition = new DefinitionReader(name, read, this::add).read(feed, steps);
            definitions.add(definition);
            if (schema != null && steps.size() == read.steps().size()) {
                plans.add(plan(definition, schema, tables));
            }
        });
        List<RegionDefinition> regions = regions(definitions, plans);
        regions.addAll(new RejectRegions(properties.regions(), plans, this::problem).definitions());
        PlaceMap map = map(plans, tables);
        if (problems.isEmpty()) {
            requireFollowable(regions);
        }
        refuseProblems();
        return new Setup(plans, regions, tables(tables), map);
    }

    private void refuseProblems() {
        if (!problems.isEmpty()) {
            throw new ConfigurationException(List.copyOf(problems.values()));
        }
    }

    /** Returns null for a server, which runs no measures. */
    private @Nullable PlaceMap map(List<PipelinePlan> plans, Map<String, Optional<Table>> tables) {
        MapProperties map = properties.page().map();
        return map == null || properties.role() == Role.SERVER
                ? null
                : new MapPlanner(map, plans, tables, (property, message) -> problem("page.map." + property, message))
                        .plan();
    }

    /**
     * Plans a pipeline. If records vary in length, plans it twice: the second plan parses only what the first one
     * reads.
     */
    private PipelinePlan plan(PipelineDefinition definition, Schema schema, Map<String, Optional<Table>> tables) {
        Set<String> regions = properties.regions().keySet();
        PipelinePlan whole = new PipelinePlanner(definition, schema, tables, regions, functions, this::add).plan();
        if (!schema.layout().variesInLength() || !problems.isEmpty()) {
            return whole;
        }
        Set<String> used = new HashSet<>(whole.reads());
        for (String name : whole.regions()) {
            RegionProperties region = properties.regions().get(name);
            if (region != null) {
                used.addAll(region.key());
                used.addAll(removalReads(name, region, whole.targetSchema()));
            }
        }
        List<Problem> unseen = new ArrayList<>();
        PipelinePlan projected =
                new PipelinePlanner(definition, schema.project(used), tables, regions, functions, unseen::add).plan();
        // An expression may name a field that its compiled form does not read.
        return unseen.isEmpty() ? projected : whole;
    }

    private Set<String> removalReads(String name, RegionProperties region, Schema schema) {
        String remove = region.remove();
        Compiled<BatchRouter> compiled = remove == null
                ? null
                : attempt("regions." + name + ".remove", () -> Removals.compile(remove, schema, functions));
        return compiled == null ? Set.of() : compiled.reads();
    }

    private void requireGood(QueryProperties query) {
        atLeast("query.max-records", query.maxRecords(), 1);
        atLeast("query.max-concurrent", query.maxConcurrent(), 1);
        atLeast("query.max-waiting", query.maxWaiting(), 1);
        if (!query.timeout().isPositive() || query.timeout().compareTo(query.maxTimeout()) > 0) {
            problem(
                    "query.timeout",
                    INVALID_DURATION.message("Invalid duration '" + DurationText.of(query.timeout())
                            + "'. Use a duration above 0 and up to 'query.max-timeout', "
                            + DurationText.of(query.maxTimeout()) + "."));
        }
    }

    private void requireGood(StreamProperties web) {
        if (!BASE_PATH.matcher(web.basePath()).matches()) {
            problem(
                    "web.base-path",
                    INVALID_VALUE.message("Invalid path '" + web.basePath()
                            + "'. Use '/' and names of letters, digits, and . _ - only, such as /millrace/api."));
        }
        atLeast("web.max-streams", web.maxStreams(), 1);
        requireMillisecond("web.slow-client-timeout", web.slowClientTimeout());
        requireMillisecond("web.request-timeout", web.requestTimeout());
    }

    private void requireMillisecond(String property, Duration value) {
        if (value.toMillis() < 1) {
            problem(
                    property,
                    INVALID_DURATION.message("Invalid duration '" + DurationText.of(value) + "'. Use 1ms or more."));
        }
    }

    private void requirePositive(String property, Duration value) {
        if (!value.isPositive()) {
            problem(
                    property,
                    INVALID_DURATION.message(
                            "Invalid duration '" + DurationText.of(value) + "'. Use a duration above 0."));
        }
    }

    private @Nullable Schema schema(String pipeline, PipelineProperties configured) {
        String name = configured.schema();
        return name == null || name.isBlank()
                ? null
                : attempt("pipelines." + pipeline + ".schema", () -> schemas.get(name));
    }

    private Map<String, Optional<Table>> tables() {
        Map<String, Optional<Table>> tables = new LinkedHashMap<>();
        properties.tables().forEach((name, table) -> {
            String schemaName = table.schema();
            Schema schema =
                    schemaName == null ? null : attempt("tables." + name + ".schema", () -> schemas.get(schemaName));
            boolean wrong = schemaName != null && schema == null;
            tables.put(name, Optional.ofNullable(wrong ? null : table(name, table, schema)));
        });
        return tables;
    }

    private static Tables tables(Map<String, Optional<Table>> tables) {
        return new Tables(tables.values().stream().flatMap(Optional::stream).toList());
    }

    private @Nullable Table table(String name, TableProperties table, @Nullable Schema schema) {
        String at = "tables." + name;
        String file = table.file();
        String region = table.region();
        String key = table.key();
        if ((file == null) == (region == null) || key == null) {
            problem(at, MISSING_VALUE.message("Incomplete table. Set 'key', and either 'file' or 'region'."));
            return null;
        }
        if (table.refresh() != null && (region != null || !table.refresh().isPositive())) {
            problem(
                    at + ".refresh",
                    INVALID_DURATION.message("Invalid refresh '" + DurationText.of(table.refresh())
                            + "'. Use a duration above 0, and a table with 'file'."));
        }
        if (properties.role() == Role.SERVER && schema != null && !isBuilt(file)) {
            // A server runs no pipeline, so it needs the schema of the table but not its rows.
            Schema rows = file == null ? schema : new TableDefinition(name, file, key, schema, null).rowSchema();
            return attempt(at + ".key", () -> new LiveTable(name, rows, key, "no file: this is a server"));
        }
        if (file != null) {
            return attempt(
                    at + ".file", () -> ServedTable.load(new TableDefinition(name, file, key, schema, table.mapped())));
        }
        if (schema == null || table.mapped() != null) {
            problem(
                    at,
                    MISSING_VALUE.message(
                            "Incomplete table of a region. Set 'schema' to that of the region's records, and remove 'mapped'."));
            return null;
        }
        return attempt(at + ".key", () -> new LiveTable(name, schema, key, "region " + region));
    }

    /** Returns whether a file is a built table, which contains its own schema. */
    private static boolean isBuilt(@Nullable String file) {
        return file != null && file.toLowerCase(Locale.ROOT).endsWith(".table") && Files.exists(Path.of(file));
    }

    /** Requires that the regions that tables follow exist, with the same key and schema. */
    private void requireFollowable(List<RegionDefinition> regions) {
        properties.tables().forEach((name, table) -> {
            String region = table.region();
            String schemaName = table.schema();
            if (region == null || schemaName == null) {
                return;
            }
            RegionDefinition definition = regions.stream()
                    .filter(other -> other.name().equals(region))
                    .findFirst()
                    .orElse(null);
            if (definition == null) {
                problem(
                        "tables." + name + ".region",
                        UNKNOWN_REGION.message("Unknown region '" + region + "'"
                                + NearestName.hint(region, properties.regions().keySet())
                                + " Name a region that a pipeline writes to."));
            } else if (definition.layout() != Layout.ENTRIES
                    || !definition.keyFields().equals(List.of(table.key()))) {
                problem(
                        "tables." + name + ".region",
                        SCHEMA_MISMATCH.message(
                                "Region '" + region + "' does not fit. Use a region with 'layout: entries' and 'key: "
                                        + table.key() + "'."));
            } else if (definition.schema().fingerprint()
                    != schemas.get(schemaName).fingerprint()) {
                problem(
                        "tables." + name + ".schema",
                        SCHEMA_MISMATCH.message(
                                "Schema '" + schemaName + "' does not fit the region's records, whose schema is '"
                                        + definition.schema().name() + "'."));
            }
        });
    }

    /** Derives the schema of each region from the pipelines that write to it, which must agree. */
    private List<RegionDefinition> regions(List<PipelineDefinition> definitions, List<PipelinePlan> plans) {
        List<RegionDefinition> regions = new ArrayList<>();
        MeasureRegions measures = new MeasureRegions(plans, this::add);
        Set<String> rejects =
                plans.stream().map(plan -> plan.definition().rejectsRegion()).collect(Collectors.toSet());
        properties.regions().forEach((name, region) -> {
            if (rejects.contains(name)) {
                return;
            }
            boolean written = definitions.stream()
                    .anyMatch(definition -> definition.regions().contains(name)
                            || definition.measureRegions().contains(name));
            String schemaName = region.schema();
            Schema given =
                    schemaName == null ? null : attempt("regions." + name + ".schema", () -> schemas.get(schemaName));
            if (!written && schemaName == null && !isMisspelt(name, definitions)) {
                problem(
                        "regions." + name,
                        UNUSED_REGION.message(
                                "No pipeline sends records to region '" + name + "'. To query what is stored in it, set"
                                        + " 'millrace.regions." + name + ".schema'."));
            }
            if (region.layout() == Layout.ENTRIES && region.key().isEmpty()) {
                problem(
                        "regions." + name,
                        MISSING_VALUE.message(
                                "Missing 'key'. A region with 'layout: entries' needs the field whose value identifies an entry."));
                return;
            }
            List<PipelinePlan> writers =
                    plans.stream().filter(plan -> plan.regions().contains(name)).toList();
            Schema measured = measures.schema(name, !writers.isEmpty());
            if (!written && given != null) {
                addRead(name, region, given, regions);
            } else if (measured != null) {
                requireGiven(name, given, measured);
                RegionDefinition definition = attempt("regions." + name, () -> definition(name, region, measured));
                if (definition != null) {
                    regions.add(definition);
                    requireRemovable(definition, measured);
                }
            } else if (!writers.isEmpty()) {
                Schema schema = storedSchema(writers.getFirst(), region);
                writers.forEach(other -> requireSame(name, schema, storedSchema(other, region)));
                requireGiven(name, given, schema);
                RegionDefinition definition = attempt("regions." + name, () -> definition(name, region, schema));
                if (definition != null) {
                    regions.add(definition);
                    writers.forEach(plan -> requireRemovable(definition, plan.targetSchema()));
                }
            }
        });
        return regions;
    }

    /** Whether an unknown region that a pipeline writes to is likely to be this one; that has been reported. */
    private boolean isMisspelt(String region, List<PipelineDefinition> definitions) {
        Set<String> known = properties.regions().keySet();
        return definitions.stream()
                .flatMap(definition ->
                        Stream.concat(definition.regions().stream(), definition.measureRegions().stream()))
                .anyMatch(name -> !known.contains(name) && region.equals(NearestName.of(name, known)));
    }

    /** Adds a region to which no pipeline writes, such as that of a removed pipeline. It can be queried. */
    private void addRead(String name, RegionProperties region, Schema schema, List<RegionDefinition> regions) {
        RegionDefinition definition = attempt("regions." + name, () -> definition(name, region, schema));
        if (definition != null) {
            regions.add(definition);
            requireRemovable(definition, schema);
        }
    }

    private void requireGiven(String region, @Nullable Schema given, Schema written) {
        if (given != null && given.fingerprint() != written.fingerprint()) {
            problem(
                    "regions." + region + ".schema",
                    SCHEMA_MISMATCH.message("Schema '" + given.name()
                            + "' is not that of the records that are sent to the region: "
                            + String.join(
                                    "; ",
                                    SchemaDifference.between(
                                            SchemaDescription.of(given), SchemaDescription.of(written.stored())))
                            + ". Remove 'schema': it follows from what is sent."));
        }
    }

    private void requireRemovable(RegionDefinition region, Schema schema) {
        String remove = region.remove();
        if (remove != null) {
            attempt("regions." + region.name() + ".remove", () -> Removals.compile(remove, schema, functions));
        }
    }

    private void requireSame(String region, Schema schema, Schema other) {
        if (other.fingerprint() != schema.fingerprint()) {
            problem(
                    "regions." + region,
                    SHARED_REGION.message("Pipelines send records of different schemas, '" + schema.name() + "' and '"
                            + other.name() + "'. Use a region for each schema."));
        }
    }

    private static RegionDefinition definition(String name, RegionProperties region, Schema schema) {
        return new RegionDefinition(
                name,
                region.layout(),
                region.redundantCopies(),
                region.persistent(),
                schema,
                region.key(),
                region.remove(),
                region.blockRecords(),
                region.encoding(),
                region.retention(),
                region.memoryOptions());
    }

    private static Schema storedSchema(PipelinePlan plan, RegionProperties region) {
        return region.keepAdded()
                ? plan.targetSchema().stored()
                : plan.targetSchema().base();
    }

    private <T> @Nullable T attempt(String at, Supplier<T> supplier) {
        try {
            return supplier.get();
        } catch (SchemaException | ExpressionException e) {
            // Their messages contain codes.
            problem(at, String.valueOf(e.getMessage()));
        } catch (UnknownSchemaException e) {
            problem(at, UNKNOWN_SCHEMA.message(String.valueOf(e.getMessage())));
        } catch (TableException e) {
            problem(at, INVALID_TABLE.message(String.valueOf(e.getMessage())));
        } catch (IllegalArgumentException e) {
            problem(
                    at,
                    (at.startsWith("tables.") ? INVALID_TABLE : INVALID_REGION)
                            .message(String.valueOf(e.getMessage())));
        }
        return null;
    }

    private void atLeast(String at, long value, long smallest) {
        if (value < smallest) {
            problem(at, INVALID_NUMBER.message("Invalid number '" + value + "'. Use " + smallest + " or more."));
        }
    }

    private void problem(String at, String message) {
        add(new Problem("millrace." + at, message));
    }

    private void add(Problem problem) {
        problems.putIfAbsent(problem.property(), problem);
    }
}
