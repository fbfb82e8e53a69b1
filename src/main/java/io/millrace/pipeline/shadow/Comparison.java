package io.millrace.pipeline.shadow;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.shadow.ShadowReport.Example;
import io.millrace.pipeline.shadow.ShadowReport.Group;
import io.millrace.pipeline.shadow.ShadowReport.Side;
import io.millrace.pipeline.step.Target;
import io.millrace.schema.Schema;
import io.millrace.store.query.StoredRecords;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Counts how the results of a candidate differ from those of the live rules, and keeps some examples of each kind of
 * difference. Thread-safe: the lanes of a pipeline compare, any thread may read.
 */
final class Comparison {

    /** Number of examples of each kind of difference. */
    static final int EXAMPLES = 5;

    /** Maximum number of groups; records of others are counted together. */
    static final int GROUPS = 10_000;

    private static final String OTHER_GROUPS = "(other groups)";

    private final Destinations destinations;
    private final Kept notKept;
    /** What each target receives, by the index of the target. */
    private final List<Kept> live;

    private final List<Kept> candidate;
    private final boolean valuesDiffer;
    private final SplittableRandom random = new SplittableRandom();
    private final Map<Difference, Found> found = new EnumMap<>(Difference.class);
    private final List<String> by;
    private final @Nullable StoredRecords groupFields;
    private final Map<List<String>, Map<Difference, Long>> groups = new LinkedHashMap<>();
    private long records;

    /** The records with one kind of difference. */
    private static final class Found {
        private final List<Copied> examples = new ArrayList<>();
        private long count;
    }

    /** A result with a copy of the record. */
    private record CopiedSide(int decision, @Nullable String reason, Schema schema, byte[] copy) {}

    private record Copied(Difference difference, long position, CopiedSide live, CopiedSide candidate) {}

    /**
     * Creates an empty comparison.
     *
     * @param before the live rules
     * @param after the candidate
     * @param destinations of the records
     * @param regions returns the schema of the records that a region stores
     * @param by fields of the feed's records by which differences are counted; empty for no groups
     * @throws IllegalArgumentException if there is no such field
     */
    Comparison(
            PipelinePlan before,
            PipelinePlan after,
            Destinations destinations,
            Function<String, Schema> regions,
            List<String> by) {
        this.destinations = destinations;
        List<Target> targets = destinations.targets();
        this.notKept = Kept.base(before.schema());
        this.live = Kept.of(targets, before, regions);
        this.candidate = Kept.of(targets, after, regions);
        this.valuesDiffer = Writes.differ(before, after);
        this.by = by.stream().distinct().toList();
        this.groupFields = by.isEmpty() ? null : StoredRecords.of(notKept.schema(), this.by, FunctionRegistry.empty());
    }

    /**
     * Compares the results of a batch.
     *
     * @param source the batch, with its positions
     * @param before what the live rules did; their batch can be the source
     * @param after what the candidate did
     * @param admitted ordinals of the records on which both have run, ascending
     */
    synchronized void compare(RecordBatch source, Results before, Results after, int[] admitted, int admittedCount) {
        Pair pair = new Pair(source, before, after);
        if (after.made().any()) {
            for (int i = 0; i < admittedCount; i++) {
                compareMade(pair, admitted[i]);
            }
        } else {
            compareDecisions(pair);
            if (valuesDiffer) {
                compareValues(pair, admitted, admittedCount);
            }
            records += admittedCount;
        }
    }

    /**
     * The results of a batch.
     *
     * @param source the batch, with its positions
     */
    private record Pair(RecordBatch source, Results before, Results after) {}

    private void compareDecisions(Pair pair) {
        int count = pair.source.count();
        Decisions before = pair.before.decisions();
        Decisions after = pair.after.decisions();
        // Records that were not admitted have the same decision.
        for (int ordinal = before.mismatch(after, 0, count);
                ordinal < count;
                ordinal = before.mismatch(after, ordinal + 1, count)) {
            add(difference(before.of(ordinal), after.of(ordinal)), pair, ordinal, MadeRecords.NONE, MadeRecords.NONE);
        }
    }

    private static Difference difference(int before, int after) {
        return switch (after) {
            case Decisions.DROPPED -> Difference.NEWLY_DROPPED;
            case Decisions.REJECTED -> Difference.NEWLY_REJECTED;
            default -> before < 0 ? Difference.NEWLY_KEPT : Difference.OTHER_TARGET;
        };
    }

    private void compareValues(Pair pair, int[] admitted, int admittedCount) {
        for (int i = 0; i < admittedCount; i++) {
            int ordinal = admitted[i];
            int target = pair.before.decisions().of(ordinal);
            if (target >= 0
                    && target == pair.after.decisions().of(ordinal)
                    && !same(pair.before.batch(), pair.after.batch(), target, ordinal)) {
                add(Difference.OTHER_VALUES, pair, ordinal, MadeRecords.NONE, MadeRecords.NONE);
            }
        }
    }

    private boolean same(RecordBatch before, RecordBatch after, int target, int ordinal) {
        return sameFields(target) && destinations.most(live, target).form().same(before, ordinal, after, ordinal);
    }

    private boolean sameFields(int target) {
        Schema before = destinations.most(live, target).schema();
        Schema after = destinations.most(candidate, target).schema();
        return before == after || List.copyOf(before.fields()).equals(List.copyOf(after.fields()));
    }

    /**
     * Compares the records that were made of a record. If only one side has made any, each is compared with what the
     * other side did with the record.
     */
    private void compareMade(Pair pair, int ordinal) {
        MadeRecords before = pair.before.made();
        MadeRecords after = pair.after.made();
        int i = before.first(ordinal);
        int j = after.first(ordinal);
        if (i == MadeRecords.NONE && j == MadeRecords.NONE) {
            compareResults(pair, ordinal, i, j);
        }
        while (before.isOf(i, ordinal) || after.isOf(j, ordinal)) {
            compareResults(pair, ordinal, i, j);
            i = i == MadeRecords.NONE ? i : i + 1;
            j = j == MadeRecords.NONE ? j : j + 1;
        }
    }

    private void compareResults(Pair pair, int ordinal, int before, int after) {
        records++;
        int was = pair.before.decision(ordinal, before);
        int is = pair.after.decision(ordinal, after);
        if (was != is) {
            add(difference(was, is), pair, ordinal, before, after);
        } else if (was >= 0 && valuesDiffer && !sameCopies(pair, was, before, after)) {
            add(Difference.OTHER_VALUES, pair, ordinal, before, after);
        }
    }

    private boolean sameCopies(Pair pair, int target, int before, int after) {
        return sameFields(target)
                && Arrays.equals(
                        pair.before.made().copy(before), pair.after.made().copy(after));
    }

    /** Counts a record, and keeps each with the same probability as an example (reservoir sampling, algorithm R). */
    private void add(Difference difference, Pair pair, int ordinal, int before, int after) {
        if (groupFields != null) {
            groups.computeIfAbsent(group(groupFields, pair.source, ordinal), _ -> new EnumMap<>(Difference.class))
                    .merge(difference, 1L, Long::sum);
        }
        Found kind = found.computeIfAbsent(difference, _ -> new Found());
        kind.count++;
        boolean full = kind.examples.size() == EXAMPLES;
        long at = full ? random.nextLong(kind.count) : kind.examples.size();
        if (at < EXAMPLES) {
            if (full) {
                kind.examples.remove((int) at);
            }
            kind.examples.add(
                    (int) at,
                    new Copied(
                            difference,
                            pair.source.position(ordinal),
                            copied(pair.before, live, ordinal, before),
                            copied(pair.after, candidate, ordinal, after)));
        }
    }

    private List<String> group(StoredRecords fields, RecordBatch source, int ordinal) {
        List<String> group = fields.decode(notKept.form().copy(source, ordinal), 0).values().stream()
                .map(value -> value == null ? "" : value.toString())
                .toList();
        return groups.size() < GROUPS || groups.containsKey(group)
                ? group
                : Collections.nCopies(group.size(), OTHER_GROUPS);
    }

    private CopiedSide copied(Results results, List<Kept> kept, int ordinal, int index) {
        boolean made = index != MadeRecords.NONE;
        int decision = results.decision(ordinal, index);
        String reason = null;
        if (decision == Decisions.REJECTED) {
            RejectReason why = results.reason(ordinal, index);
            reason = why.kind().tag() + ": " + why.detail();
        }
        Kept form = decision >= 0
                ? destinations.most(kept, decision)
                : made ? results.made().notKept() : notKept;
        byte[] copy = made ? results.made().copy(index) : form.form().copy(results.batch(), ordinal);
        return new CopiedSide(decision, reason, form.schema(), copy);
    }

    /**
     * Returns the counts, which add up, and the examples.
     *
     * @param skipped records of the feed that were not compared
     * @param nanos time of the candidate's steps on those that were
     * @param liveNanos time of the live steps on these
     * @param totalNanos time of the shadow
     */
    ShadowReport report(long skipped, long nanos, long liveNanos, long totalNanos) {
        Map<Difference, Long> differences = new EnumMap<>(Difference.class);
        List<Copied> copies = new ArrayList<>();
        List<Group> byGroup = new ArrayList<>();
        long compared;
        long same;
        synchronized (this) {
            compared = records;
            groups.forEach((group, counts) -> byGroup.add(new Group(named(group), new EnumMap<>(counts))));
            same = records;
            for (Difference difference : Difference.values()) {
                Found kind = found.get(difference);
                long count = kind == null ? 0 : kind.count;
                differences.put(difference, count);
                same -= count;
                if (kind != null) {
                    copies.addAll(kind.examples);
                }
            }
        }
        double perRecord = 1.0 / Math.max(1, compared);
        return new ShadowReport(
                compared,
                skipped,
                same,
                differences,
                byGroup,
                nanos * perRecord,
                liveNanos * perRecord,
                totalNanos * perRecord,
                examples(copies));
    }

    private Map<String, String> named(List<String> group) {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < by.size(); i++) {
            values.put(by.get(i), group.get(i));
        }
        return values;
    }

    private List<Example> examples(List<Copied> copies) {
        Map<Schema, StoredRecords> decoders = new HashMap<>();
        return copies.stream()
                .map(copied -> new Example(
                        copied.difference(),
                        copied.position() == RecordBatch.NO_POSITION ? null : copied.position(),
                        side(copied.live(), decoders),
                        side(copied.candidate(), decoders)))
                .toList();
    }

    private Side side(CopiedSide copied, Map<Schema, StoredRecords> decoders) {
        int decision = copied.decision();
        String outcome = switch (decision) {
            case Decisions.DROPPED -> "dropped";
            case Decisions.REJECTED -> "rejected";
            default -> "kept";
        };
        return new Side(
                outcome,
                decision < 0 ? null : destinations.text(decision),
                copied.reason(),
                decoders.computeIfAbsent(copied.schema(), StoredRecords::of).decode(copied.copy(), 0));
    }
}
