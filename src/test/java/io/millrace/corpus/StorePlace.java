package io.millrace.corpus;

import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import io.millrace.store.CompactBatches;
import io.millrace.store.Entries;
import io.millrace.store.block.BlockChecks;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.AggregateResult;
import io.millrace.store.query.OnError;
import io.millrace.store.query.Query;
import io.millrace.store.query.QueryResult;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.StoredForm;
import io.millrace.store.region.StoredForms;
import io.millrace.store.scan.AggregatePart;
import io.millrace.store.scan.AggregateScan;
import io.millrace.store.scan.Answers;
import io.millrace.store.scan.QueryScan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Queries to stored records. */
public final class StorePlace implements Place {

    private static final int BLOCK = 12;
    private static final int LIMIT = 1000;
    private static final String VIRTUAL = "v";

    private final String name;
    private final Random random;
    private final CorpusForm form;
    private final Engine engine;

    /** Answers queries to one region, whose schema may have further virtual fields. */
    interface Engine {
        QueryResult query(Schema schema, Query query);

        AggregateResult aggregate(AggregateQuery query);

        /** Whether the schema can be another one in each query. */
        default boolean takesSchemas() {
            return true;
        }
    }

    StorePlace(String name, Random random, CorpusForm form, Engine engine) {
        this.name = name;
        this.random = random;
        this.form = form;
        this.engine = engine;
    }

    /** Returns the places of all forms in which records are stored: rows, columns and entries, in each layout. */
    static List<StorePlace> all(Random random, CorpusRecords records) {
        List<StorePlace> places = new ArrayList<>();
        for (CorpusForm form : records.forms()) {
            regions(form, random).forEach((name, region) -> {
                Scans scans = new Scans(region, values(region, form));
                places.add(new StorePlace(name, random, form, scans));
            });
        }
        return places;
    }

    /** Returns a function for aggregate queries to each form in which records can be stored, by its name. */
    public static Map<String, Function<AggregateQuery, AggregateResult>> aggregates(
            CorpusRecords records, String entryKey) {
        Map<String, Function<AggregateQuery, AggregateResult>> all = new TreeMap<>();
        for (CorpusForm form : records.forms()) {
            regions(form, List.of(), entryKey).forEach((name, region) -> {
                Scans scans = new Scans(region, values(region, form));
                all.put(name, scans::aggregate);
            });
        }
        return all;
    }

    /** Returns a region for each way to store a form, by its name. Blocks have a range of a random field. */
    static Map<String, RegionDefinition> regions(CorpusForm form, Random random) {
        List<String> names = List.copyOf(form.schema().names());
        return regions(form, List.of(names.get(random.nextInt(names.size()))), CorpusRecords.NUMBER);
    }

    private static Map<String, RegionDefinition> regions(CorpusForm form, List<String> blockKey, String entryKey) {
        Map<String, RegionDefinition> regions = new TreeMap<>();
        for (BlockEncoding encoding : BlockEncoding.values()) {
            String name = form.name() + "-" + encoding.tag();
            regions.put(
                    name,
                    new RegionDefinition(
                            name, Layout.BLOCKS, 0, false, form.schema(), blockKey, null, BLOCK, encoding));
        }
        String name = form.name() + "-entries";
        regions.put(
                name,
                new RegionDefinition(
                        name,
                        Layout.ENTRIES,
                        0,
                        false,
                        form.schema(),
                        List.of(entryKey),
                        null,
                        BLOCK,
                        BlockEncoding.ROWS));
        return regions;
    }

    private static List<byte[]> values(RegionDefinition region, CorpusForm form) {
        if (region.layout() == Layout.BLOCKS) {
            return CompactBatches.blocks(region, form.batch());
        }
        StoredForm stored = StoredForms.of(form.schema());
        var batch = form.batch();
        return IntStream.range(0, batch.selected())
                .mapToObj(i -> Entries.of(region, i, stored.copy(batch, i)))
                .toList();
    }

    /** Scans of values, as a member does them. */
    private record Scans(RegionDefinition region, List<byte[]> values) implements Engine {

        @Override
        public QueryResult query(Schema schema, Query query) {
            RegionDefinition queried = new RegionDefinition(
                    region.name(),
                    region.layout(),
                    0,
                    false,
                    schema,
                    region.keyFields(),
                    null,
                    region.blockRecords(),
                    region.encoding());
            QueryScan scan = QueryScan.of(queried, query, FunctionRegistry.empty());
            scan.begin(query.limit(), Integer.MAX_VALUE);
            BlockChecks checks = new BlockChecks();
            for (int i = 0; i < values.size(); i++) {
                if (region.layout() == Layout.ENTRIES) {
                    scan.entry(i, values.get(i));
                } else {
                    scan.block(i, values.get(i), checks);
                }
            }
            scan.flush();
            return Answers.of(scan, query, scan.part());
        }

        @Override
        public AggregateResult aggregate(AggregateQuery query) {
            AggregateScan scan = AggregateScan.of(region, query, FunctionRegistry.empty());
            scan.reset();
            BlockChecks checks = new BlockChecks();
            List<AggregatePart> parts = new ArrayList<>();
            for (int i = 0; i < values.size(); i++) {
                if (region.layout() == Layout.ENTRIES) {
                    scan.entry(i, values.get(i));
                    continue;
                }
                if (i > 0 && i % 2 == 0) {
                    parts.add(scan.part());
                    scan.reset();
                }
                scan.block(i, values.get(i), checks);
            }
            parts.add(scan.part());
            return Answers.of(scan, parts);
        }
    }

    @Override
    public Found matching(String condition) {
        if (random.nextBoolean()) {
            QueryResult result = engine.query(
                    form.schema(), new Query(condition, List.of(CorpusRecords.NUMBER), List.of(), LIMIT, OnError.SKIP));
            Map<Long, @Nullable Object> found = new TreeMap<>();
            result.records().forEach(record -> found.put(Found.number(record), true));
            return new Found(found, result.counts().failed());
        }
        String count = "count(" + condition + ")";
        AggregateResult result = engine.aggregate(
                new AggregateQuery(null, List.of(CorpusRecords.NUMBER), List.of(count), LIMIT, OnError.SKIP));
        Map<Long, @Nullable Object> found = new TreeMap<>();
        for (Map<String, @Nullable Object> group : result.groups()) {
            if (!Objects.equals(group.get(count), 0L)) {
                found.put(Found.number(group), true);
            }
        }
        return new Found(found, result.counts().failed());
    }

    @Override
    public @Nullable Found values(String expression) {
        FieldType type = new ExpressionCompiler(form.schema()).resultType(expression);
        boolean aggregated = type instanceof FieldType.IntegerType
                || type instanceof FieldType.DecimalType
                || type instanceof FieldType.FloatType;
        boolean key = type instanceof FieldType.IntegerType
                || type instanceof FieldType.DecimalType
                || type instanceof FieldType.DateType
                || type instanceof FieldType.InstantType
                || type instanceof FieldType.EnumType
                || type instanceof FieldType.BooleanType
                || form.schema().field(expression) != null;
        int way = random.nextInt(3);
        if (way == 0 && key && !expression.equals(CorpusRecords.NUMBER)) {
            return grouped(List.of(expression), "count()", expression);
        }
        if (way == 1 && aggregated) {
            String aggregate = List.of("min", "max", "sum").get(random.nextInt(3)) + "(" + expression + ")";
            return grouped(List.of(), aggregate, aggregate);
        }
        return engine.takesSchemas() || form.schema().field(expression) != null ? selected(expression) : null;
    }

    private Found grouped(List<String> further, String aggregate, String shown) {
        List<String> by = new ArrayList<>(further);
        by.add(CorpusRecords.NUMBER);
        AggregateResult result =
                engine.aggregate(new AggregateQuery(null, by, List.of(aggregate), LIMIT, OnError.SKIP));
        Map<Long, @Nullable Object> found = new TreeMap<>();
        result.groups().forEach(group -> found.put(Found.number(group), Found.plain(group.get(shown))));
        return new Found(found, result.counts().failed());
    }

    private Found selected(String expression) {
        boolean field = form.schema().field(expression) != null;
        String shown = field ? expression : VIRTUAL;
        QueryResult result = engine.query(
                field ? form.schema() : form.with(VIRTUAL, expression),
                new Query(null, List.of(CorpusRecords.NUMBER, shown), List.of(), LIMIT, OnError.SKIP));
        Map<Long, @Nullable Object> found = new TreeMap<>();
        result.records().forEach(record -> found.put(Found.number(record), Found.plain(record.get(shown))));
        return new Found(found, result.counts().failed());
    }

    @Override
    public List<Long> ordered(String order) {
        QueryResult result = engine.query(
                form.schema(), new Query(null, List.of(CorpusRecords.NUMBER), List.of(order), LIMIT, OnError.SKIP));
        return result.records().stream().map(Found::number).toList();
    }

    @Override
    public Rows rows(AggregateQuery query) {
        AggregateResult result = engine.aggregate(query);
        Map<List<@Nullable Object>, List<@Nullable Object>> rows = new HashMap<>();
        for (Map<String, @Nullable Object> group : result.groups()) {
            rows.put(plain(group, query.by()), plain(group, query.values()));
        }
        return new Rows(rows, result.counts().failed());
    }

    private static List<@Nullable Object> plain(Map<String, @Nullable Object> group, List<String> names) {
        List<@Nullable Object> values = new ArrayList<>();
        names.forEach(each -> values.add(Found.plain(group.get(each))));
        return values;
    }

    @Override
    public String toString() {
        return name;
    }
}
