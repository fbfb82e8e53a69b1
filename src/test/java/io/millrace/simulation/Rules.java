package io.millrace.simulation;

import io.millrace.expression.function.FunctionRegistry;
import io.millrace.pipeline.definition.LateThresholds;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.definition.PipelinePlanner;
import io.millrace.pipeline.definition.RejectThresholds;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.filter.FilterDefinition;
import io.millrace.pipeline.step.route.Branch;
import io.millrace.pipeline.step.route.RouteDefinition;
import io.millrace.store.Trades;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where a record goes by a version of the rules: fixed for each record and version, and different between versions.
 *
 * @param entries whether some go to a region of entries; else these are dropped
 * @param regionsChange whether every third version drops them nevertheless, and so does not have this region, and
 *     another third does not have the region of blocks
 */
record Rules(int version, boolean entries, boolean regionsChange) {

    static final String PIPELINE = "trades";

    /** Name of the channel of the application that some records are sent to. */
    static final String CHANNEL = "endpoint";

    /** Compiled once: plans are immutable, and there are thousands of schedules. */
    private static final Map<Rules, PipelinePlan> PLANS = new ConcurrentHashMap<>();

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
        return new Rules(other, entries, regionsChange);
    }

    enum Target {
        BLOCKS,
        ENTRIES,
        CHANNEL,
        REJECTED,
        DROPPED
    }

    Target target(long id) {
        if ((id + version) % 23 == 7) {
            return Target.REJECTED;
        }
        // Long runs in which nothing is stored make positions advance alone.
        if ((id / 16 + version) % 4 == 1) {
            return Target.DROPPED;
        }
        return switch ((int) ((id * 31 + version * 7L) % 8)) {
            case 0, 1, 2, 3 -> writesBlocks() ? Target.BLOCKS : Target.ENTRIES;
            case 4, 5 -> writesEntries() ? Target.ENTRIES : Target.DROPPED;
            case 6 -> Target.CHANNEL;
            default -> Target.DROPPED;
        };
    }

    /** The same as steps. */
    private List<StepDefinition> steps() {
        String share = "(id * 31 + " + 7 * version + ") % 8 ";
        List<Branch> branches = new ArrayList<>();
        branches.add(new Branch(share + "<= 3", writesBlocks() ? Stored.BLOCKS : Stored.ENTRIES, null));
        if (writesEntries()) {
            branches.add(new Branch(share + "<= 5", Stored.ENTRIES, null));
        }
        branches.add(new Branch(share + "== 6", "channel:" + CHANNEL, null));
        return List.of(
                // A division by zero has no result, so the record is rejected.
                new FilterDefinition("1 / ((id + " + version + ") % 23 - 7) < 2"),
                new FilterDefinition("(id / 16 + " + version + ") % 4 != 1"),
                new RouteDefinition(branches));
    }

    private static PipelinePlan compile(Rules rules) {
        return new PipelinePlanner(
                        new PipelineDefinition(
                                PIPELINE,
                                new ProcessFeed(null),
                                Trades.SCHEMA.name(),
                                rules.steps(),
                                null,
                                Stored.REJECTS,
                                NO_THRESHOLDS,
                                new LateThresholds(RejectThresholds.NEVER, RejectThresholds.NEVER),
                                false,
                                false),
                        Trades.SCHEMA,
                        Map.of(),
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
