package io.millrace.pipeline.shadow;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.shadow.ShadowReport.Example;
import io.millrace.pipeline.shadow.ShadowReport.Side;
import io.millrace.pipeline.step.Target;
import io.millrace.schema.Schema;
import io.millrace.store.query.StoredRecords;
import io.millrace.store.region.StoredForm;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts how the results of a candidate differ from those of the live rules, and keeps some examples of each kind of
 * difference. One thread compares, any thread may read.
 */
final class Comparison {

    /** Number of examples of each kind of difference. */
    static final int EXAMPLES = 5;

    /** Maximum number of groups; records of others are counted together. */
    static final int GROUPS = 10_000;

    private static final String OTHER_GROUPS = "(other groups)";

    private final List<String> targets;
    private final boolean[] channels;
    private final Schema keptLive;
    private final Schema keptCandidate;
    private final boolean sameFields;
    private final Schema notKept;
    private final StoredForm keptLiveForm;
    private final StoredForm keptCandidateForm;
    private final StoredForm notKeptForm;
    private final SplittableRandom random = new SplittableRandom();
    private final Map<Difference, Found> found = new EnumMap<>(Difference.class);
    private final @Nullable StoredRecords groupFields;
    private final Map<List<String>, Map<Difference, Long>> groups = new LinkedHashMap<>();
    private long records;

    /** The records with one kind of difference. */
    private static final class Found {
        private final List<Copied> examples = new ArrayList<>();
        private long count;
    }

    /** A result with a copy of the record. */
    private record CopiedSide(int decision, @Nullable String reason, byte[] copy) {}

    private record Copied(Difference difference, long position, CopiedSide live, CopiedSide candidate) {}

    /**
     * Creates an empty comparison.
     *
     * @param targets targets, by their index in decisions
     * @param by fields of the feed's records by which differences are counted; empty for no groups
     * @throws IllegalArgumentException if there is no such field
     */
    Comparison(PipelinePlan live, PipelinePlan candidate, List<Target> targets, List<String> by) {
        this.targets = targets.stream().map(Comparison::name).toList();
        this.notKept = live.schema().base().stored();
        this.keptLive = live.targetSchema().stored();
        this.keptCandidate = candidate.targetSchema().stored();
        this.sameFields = List.copyOf(keptLive.fields()).equals(List.copyOf(keptCandidate.fields()));
        this.channels = new boolean[targets.size()];
        for (int i = 0; i < channels.length; i++) {
            channels[i] = targets.get(i) instanceof Target.ChannelTarget;
        }
        this.keptLiveForm = StoredForm.of(keptLive);
        this.keptCandidateForm = StoredForm.of(keptCandidate);
        this.notKeptForm = StoredForm.of(notKept);
        this.groupFields = by.isEmpty() ? null : StoredRecords.of(notKept, by, FunctionRegistry.empty());
    }

    /** Returns the targets of two plans, each once. */
    static List<Target> targets(PipelinePlan live, PipelinePlan candidate) {
        return Stream.of(live, candidate)
                .flatMap(plan -> plan.steps().getLast().targets().stream())
                .distinct()
                .toList();
    }

    private static String name(Target target) {
        return target instanceof Target.ChannelTarget ? Target.CHANNEL_PREFIX + target.name() : target.name();
    }

    /**
     * Compares the results of a batch.
     *
     * @param source the batch, with its positions
     * @param live batch with the values that the live rules have set; can be the source
     */
    synchronized void compare(RecordBatch source, RecordBatch live, Decisions decisions, Candidate candidate) {
        int[] admitted = candidate.admitted();
        for (int i = 0; i < candidate.admittedCount(); i++) {
            int ordinal = admitted[i];
            Difference difference = difference(live, decisions.of(ordinal), candidate, ordinal);
            if (difference != null) {
                add(difference, source, live, decisions, candidate, ordinal);
            }
        }
        records += candidate.admittedCount();
    }

    private @Nullable Difference difference(RecordBatch live, int before, Candidate candidate, int ordinal) {
        int after = candidate.decisions().of(ordinal);
        if (before == after) {
            return before < 0 || same(live, before, candidate.batch(), ordinal) ? null : Difference.OTHER_VALUES;
        }
        return switch (after) {
            case Decisions.DROPPED -> Difference.NEWLY_DROPPED;
            case Decisions.REJECTED -> Difference.NEWLY_REJECTED;
            default -> before < 0 ? Difference.NEWLY_KEPT : Difference.OTHER_TARGET;
        };
    }

    private boolean same(RecordBatch live, int target, RecordBatch candidate, int ordinal) {
        if (sameFields) {
            return keptLiveForm.same(live, ordinal, candidate, ordinal);
        }
        // A channel receives all fields. A region that both can store does not store the added ones.
        return !channels[target] && notKeptForm.same(live, ordinal, candidate, ordinal);
    }

    /** Counts a record, and keeps each with the same probability as an example (reservoir sampling, algorithm R). */
    private void add(
            Difference difference,
            RecordBatch source,
            RecordBatch live,
            Decisions decisions,
            Candidate candidate,
            int ordinal) {
        if (groupFields != null) {
            groups.computeIfAbsent(group(groupFields, source, ordinal), _ -> new EnumMap<>(Difference.class))
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
                            source.position(ordinal),
                            copied(live, decisions, keptLiveForm, ordinal),
                            copied(candidate.batch(), candidate.decisions(), keptCandidateForm, ordinal)));
        }
    }

    private List<String> group(StoredRecords fields, RecordBatch source, int ordinal) {
        List<String> group = fields.decode(notKeptForm.copy(source, ordinal), 0).values().stream()
                .map(value -> value == null ? "" : value.toString())
                .toList();
        return groups.size() < GROUPS || groups.containsKey(group)
                ? group
                : Collections.nCopies(group.size(), OTHER_GROUPS);
    }

    private CopiedSide copied(RecordBatch batch, Decisions decisions, StoredForm keptForm, int ordinal) {
        int decision = decisions.of(ordinal);
        StoredForm form = decision < 0 ? notKeptForm : keptForm;
        String reason = null;
        if (decision == Decisions.REJECTED) {
            RejectReason why = decisions.reason(ordinal);
            reason = why.kind().tag() + ": " + why.detail();
        }
        return new CopiedSide(decision, reason, form.copy(batch, ordinal));
    }

    /**
     * Returns the counts, which add up, and the examples.
     *
     * @param nanos time of the candidate's steps
     * @param liveNanos time of the live steps
     * @param totalNanos time of the shadow
     */
    ShadowReport report(long nanos, long liveNanos, long totalNanos) {
        Map<Difference, Long> differences = new EnumMap<>(Difference.class);
        List<Copied> copies = new ArrayList<>();
        Map<List<String>, Map<Difference, Long>> byGroup = new LinkedHashMap<>();
        long compared;
        long same;
        synchronized (this) {
            compared = records;
            groups.forEach((group, counts) -> byGroup.put(group, new EnumMap<>(counts)));
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
                same,
                differences,
                byGroup,
                examples(copies),
                nanos * perRecord,
                liveNanos * perRecord,
                totalNanos * perRecord);
    }

    private List<Example> examples(List<Copied> copies) {
        StoredRecords ofLive = StoredRecords.of(keptLive);
        StoredRecords ofCandidate = StoredRecords.of(keptCandidate);
        StoredRecords ofNotKept = StoredRecords.of(notKept);
        return copies.stream()
                .map(copied -> new Example(
                        copied.difference(),
                        copied.position() == RecordBatch.NO_POSITION ? null : copied.position(),
                        side(copied.live(), ofLive, ofNotKept),
                        side(copied.candidate(), ofCandidate, ofNotKept)))
                .toList();
    }

    private Side side(CopiedSide copied, StoredRecords ofKept, StoredRecords ofNotKept) {
        int decision = copied.decision();
        String outcome = switch (decision) {
            case Decisions.DROPPED -> "dropped";
            case Decisions.REJECTED -> "rejected";
            default -> "kept";
        };
        return new Side(
                outcome,
                decision < 0 ? null : targets.get(decision),
                copied.reason(),
                (decision < 0 ? ofNotKept : ofKept).decode(copied.copy(), 0));
    }
}
