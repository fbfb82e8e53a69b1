package io.millrace.corpus;

import io.millrace.expression.function.FunctionRegistry;
import io.millrace.feed.ChannelDefinition;
import io.millrace.pipeline.definition.LateThresholds;
import io.millrace.pipeline.definition.Parallelism;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.definition.PipelinePlanner;
import io.millrace.pipeline.definition.RejectThresholds;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.enrich.EnrichDefinition;
import io.millrace.pipeline.step.enrich.OnMiss;
import io.millrace.pipeline.step.filter.FilterDefinition;
import io.millrace.pipeline.step.route.Branch;
import io.millrace.pipeline.step.route.RouteDefinition;
import io.millrace.pipeline.step.route.ToDefinition;
import io.millrace.pipeline.step.set.SetDefinition;
import io.millrace.pipeline.trial.Outcome;
import io.millrace.pipeline.trial.PipelineTrial;
import io.millrace.schema.Schema;
import io.millrace.table.LiveTable;
import io.millrace.table.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The steps of a pipeline: filter, route, set and, for fields that a table has, enrich. */
final class PipelinePlace implements Place {

    private static final String TARGET = "r";
    private static final String OTHERS = "others";
    private static final String SET = "v";

    private final String name;
    private final Random random;
    private final Schema schema;
    private final List<byte[]> records;
    private final Map<String, Optional<Table>> tables;
    private final List<StepDefinition> first;

    private PipelinePlace(
            String name,
            Random random,
            Schema schema,
            List<byte[]> records,
            Map<String, Optional<Table>> tables,
            List<StepDefinition> first) {
        this.name = name;
        this.random = random;
        this.schema = schema;
        this.records = records;
        this.tables = tables;
        this.first = first;
    }

    /** Returns a pipeline for the records of each layout, and those whose fields come from tables. */
    static List<Place> all(Random random, CorpusRecords records) {
        List<Place> places = new ArrayList<>();
        for (CorpusForm form : records.forms()) {
            places.add(new PipelinePlace(
                    "pipeline-" + form.name(), random, form.schema(), form.records(), Map.of(), List.of()));
        }
        LiveTable live = new LiveTable("t", records.schema(), CorpusRecords.NUMBER, "the corpus");
        records.fixed().records().forEach(live::put);
        places.add(enriched("live-table", random, records, live));
        return places;
    }

    /** Returns a pipeline whose records have a number only: enrich finds their fields in a table. */
    static PipelinePlace enriched(String name, Random random, CorpusRecords records, Table table) {
        Schema numbers = CorpusForm.read("schema: corpus\nfields:\n  - { name: n, type: u32 }\n");
        Map<String, String> add = new LinkedHashMap<>();
        records.schema().names().forEach(field -> add.put(field, field));
        add.remove(CorpusRecords.NUMBER);
        return new PipelinePlace(
                name,
                random,
                numbers,
                records.fixed().records().stream()
                        .map(record -> Arrays.copyOf(record, numbers.recordLength()))
                        .toList(),
                Map.of("t", Optional.of(table)),
                List.of(new EnrichDefinition("t", CorpusRecords.NUMBER, add, OnMiss.ABSENT, Map.of())));
    }

    private PipelineTrial trial(StepDefinition... steps) {
        List<StepDefinition> all = new ArrayList<>(first);
        all.addAll(List.of(steps));
        List<String> problems = new ArrayList<>();
        PipelinePlan plan = new PipelinePlanner(
                        new PipelineDefinition(
                                "p",
                                new ChannelDefinition("p.in"),
                                "corpus",
                                all,
                                null,
                                List.of(),
                                RejectThresholds.DEFAULT,
                                LateThresholds.DEFAULT,
                                false,
                                false,
                                Parallelism.NONE),
                        schema,
                        tables,
                        Set.of(TARGET, OTHERS),
                        FunctionRegistry.empty(),
                        problem -> problems.add(problem.message()))
                .plan();
        Refusal.throwFirst(problems);
        return new PipelineTrial(plan);
    }

    @Override
    public Found matching(String condition) {
        StepDefinition route = new RouteDefinition(List.of(
                new Branch(condition, List.of(TARGET), List.of()), new Branch(null, List.of(), List.of(OTHERS))));
        return run(
                random.nextBoolean() ? trial(new FilterDefinition(condition), ToDefinition.of(TARGET)) : trial(route),
                null);
    }

    @Override
    public Found values(String expression) {
        return run(trial(new SetDefinition(Map.of(SET, expression)), ToDefinition.of(TARGET)), SET);
    }

    private Found run(PipelineTrial trial, @Nullable String shown) {
        Map<Long, @Nullable Object> found = new TreeMap<>();
        long failed = 0;
        for (int i = 0; i < records.size(); i++) {
            for (Outcome outcome : trial.run(records.get(i))) {
                if (outcome instanceof Outcome.Sent(String target, var values) && target.equals(TARGET)) {
                    found.put((long) i, shown == null ? true : Found.plain(values.get(shown)));
                } else if (outcome instanceof Outcome.Rejected) {
                    failed++;
                }
            }
        }
        return new Found(found, failed);
    }

    @Override
    public String toString() {
        return name;
    }
}
