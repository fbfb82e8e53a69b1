package io.millrace.simulation;

import io.millrace.expression.function.FunctionRegistry;
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
import io.millrace.schema.Schema;
import io.millrace.store.Trades;
import io.millrace.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;

/**
 * Where a record goes by a version of the rules: fixed for each record and version, and different between versions.
 *
 * @param entries whether some go to a region of entries; else these are dropped
 * @param regionsChange whether every third version drops them nevertheless, and so does not have this region, and
 *     another third does not have the region of blocks
 * @param table whether it also depends on a number in the rows of a table
 * @param parts whether records are made of the parts of the feed's records
 */
record Rules(int version, boolean entries, boolean regionsChange, boolean table, boolean parts) {

    static final String PIPELINE = "trades";

    /** Name of the channel of the application that some records are sent to. */
    static final String CHANNEL = "endpoint";

    /** Compiled once: plans are immutable, and there are thousands of schedules. */
    private static final Map<Rules, PipelinePlan> PLANS = new ConcurrentHashMap<>();

    private static final Table TABLE = SimulatedTable.planned();

    /** So that neither a number of the rules nor one of the table changes what the other one does. */
    private static final long PER_NUMBER = 3;

    private static final RejectThresholds NO_THRESHOLDS =
            new RejectThresholds(RejectThresholds.NEVER, RejectThresholds.NEVER);

    /** Whether this version can send records to the region of entries. */
    boolean writesEntries() {
        return entries && !(regionsChange && version % 3 == 2);
    }

    /** Whether this version can send records to the region of blocks. */
    boolean writesBlocks() {
        return !(entries && regionsChange && version % 3 == 1);
    }

    Rules version(int other) {
        return new Rules(other, entries, regionsChange, table, parts);
    }

    /** Returns the schema of the feed's records. */
    Schema received() {
        return parts ? Parts.SCHEMA : Trades.SCHEMA;
    }

    /** Returns the schema of the records that are stored, without fields that steps add. */
    Schema stored() {
        return parts
                ? new Rules(0, entries, regionsChange, false, true)
                        .plan()
                        .stages()
                        .getLast()
                        .schema()
                : Trades.SCHEMA;
    }

    /** Returns the ids of the records that are made of one of the feed, or its own. */
    LongStream made(long record) {
        return parts ? Parts.ids(record) : LongStream.of(record);
    }

    /** Returns the id of the feed's record that one was made of. */
    long record(long id) {
        return parts ? Parts.record(id) : id;
    }

    /** Returns the key of a record. */
    String key(long id) {
        return SharedKeys.of(record(id));
    }

    enum Target {
        BLOCKS,
        ENTRIES,
        CHANNEL,
        REJECTED,
        DROPPED
    }

    /** @param number in the rows of the table, 0 without one */
    Target target(long id, int number) {
        if ((id + version + PER_NUMBER * number) % 23 == 7) {
            return Target.REJECTED;
        }
        // Long runs in which nothing is stored make positions advance alone.
        if ((id / 16 + version) % 4 == 1) {
            return Target.DROPPED;
        }
        return switch ((int) ((id * 31 + version * 7L + PER_NUMBER * number) % 8)) {
            case 0, 1, 2, 3 -> writesBlocks() ? Target.BLOCKS : Target.ENTRIES;
            case 4, 5 -> writesEntries() ? Target.ENTRIES : Target.DROPPED;
            case 6 -> Target.CHANNEL;
            default -> Target.DROPPED;
        };
    }

    /** The same as steps. */
    private List<StepDefinition> steps() {
        String byTable = table ? " + " + PER_NUMBER + " * " + SimulatedTable.FIELD : "";
        String share = "(id * 31 + " + 7 * version + byTable + ") % 8 ";
        List<Branch> branches = new ArrayList<>();
        branches.add(new Branch(share + "<= 3", List.of(writesBlocks() ? Stored.BLOCKS : Stored.ENTRIES), List.of()));
        if (writesEntries()) {
            branches.add(new Branch(share + "<= 5", List.of(Stored.ENTRIES), List.of()));
        }
        branches.add(new Branch(share + "== 6", List.of("channel:" + CHANNEL), List.of()));
        List<StepDefinition> steps = new ArrayList<>(parts ? Parts.steps() : List.of());
        if (table) {
            steps.add(new EnrichDefinition(
                    SimulatedTable.NAME,
                    SimulatedTable.KEY_OF_RECORD,
                    Map.of(SimulatedTable.FIELD, SimulatedTable.FIELD),
                    OnMiss.REJECT,
                    Map.of()));
        }
        // A division by zero has no result, so the record is rejected.
        steps.add(new FilterDefinition("1 / ((id + " + version + byTable + ") % 23 - 7) < 2"));
        steps.add(new FilterDefinition("(id / 16 + " + version + ") % 4 != 1"));
        steps.add(new RouteDefinition(branches));
        return steps;
    }

    private static PipelinePlan compile(Rules rules) {
        return new PipelinePlanner(
                        new PipelineDefinition(
                                PIPELINE,
                                new ProcessFeed(null),
                                rules.received().name(),
                                rules.steps(),
                                null,
                                List.of(new io.millrace.pipeline.step.Target.RegionTarget(Stored.REJECTS)),
                                NO_THRESHOLDS,
                                new LateThresholds(RejectThresholds.NEVER, RejectThresholds.NEVER),
                                false,
                                false,
                                Parallelism.NONE),
                        rules.received(),
                        Map.of(SimulatedTable.NAME, Optional.of(TABLE)),
                        Set.of(Stored.BLOCKS, Stored.ENTRIES),
                        FunctionRegistry.empty(),
                        problem -> {
                            throw new AssertionError(problem);
                        })
                .plan();
    }

    PipelinePlan plan() {
        return PLANS.computeIfAbsent(this, Rules::compile);
    }
}
