package io.millrace.pipeline.step.route;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.expression.BatchRouter;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.Flow;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Splits a batch: sends each record to the targets of the first branch whose condition holds. The targets share the
 * batch's bytes; each has its own selection.
 */
final class RouteStep extends BatchStep {

    private final BatchRouter router;
    private final boolean hasOtherwise;
    private final RejectSink rejects;
    private final int branches;
    private final List<OpenTarget> targets = new ArrayList<>();
    /** Whether a target receives the records of a branch; null if each branch has one target, and another one. */
    private final boolean @Nullable [][] receives;

    /** Number of targets of each branch, less one. */
    private final int[] copiesOfBranch;

    private final Counter[] takenByBranch;
    private final int[] takenOfBatch;
    private final Counter evaluated = new Counter();
    private final Counter rejected = new Counter();
    private final Counter dropped = new Counter();
    private final Counter copied = new Counter();
    private int[] chosen = new int[0];

    /**
     * @param schema schema of the batches
     * @param outputs the targets of each condition of the router, in order, and those of "otherwise" if there are any
     * @param hasOtherwise whether the last ones receive the records for which no condition holds
     */
    RouteStep(
            String name,
            String kind,
            BatchRouter router,
            Schema schema,
            List<List<TargetOutput>> outputs,
            boolean hasOtherwise,
            RejectSink rejects) {
        super(name, kind);
        this.router = router;
        this.hasOtherwise = hasOtherwise;
        this.rejects = rejects;
        this.branches = outputs.size();
        // Branches can have the same target. Its records must arrive as one batch in the order of the feed, because a
        // region's writer takes the last position of a batch as the position up to which the feed is processed.
        Map<String, TargetOutput> different = new LinkedHashMap<>();
        outputs.forEach(branch -> branch.forEach(output -> different.putIfAbsent(output.channel(), output)));
        different
                .values()
                .forEach(output -> targets.add(new OpenTarget(output, new RecordBatch(schema), new Counter())));
        this.copiesOfBranch =
                outputs.stream().mapToInt(branch -> branch.size() - 1).toArray();
        boolean copies = Arrays.stream(copiesOfBranch).anyMatch(more -> more > 0);
        this.receives = copies || targets.size() < branches ? receives(outputs) : null;
        this.takenByBranch = Stream.generate(Counter::new).limit(branches).toArray(Counter[]::new);
        this.takenOfBatch = new int[branches + 1];
    }

    private boolean[][] receives(List<List<TargetOutput>> outputs) {
        // One more element for the records that no branch takes.
        boolean[][] ofTargets = new boolean[targets.size()][branches + 1];
        for (int i = 0; i < branches; i++) {
            for (TargetOutput output : outputs.get(i)) {
                for (int j = 0; j < targets.size(); j++) {
                    ofTargets[j][i] |= targets.get(j).output().channel().equals(output.channel());
                }
            }
        }
        return ofTargets;
    }

    @Override
    protected void process(RecordBatch batch) {
        if (chosen.length < batch.selected()) {
            chosen = new int[batch.selection().length];
        }
        int selectedBefore = batch.selected();
        evaluated.add(selectedBefore);
        router.route(batch, chosen, rejects);
        rejected.add(selectedBefore - batch.selected());
        if (receives == null) {
            takeByBranch(batch);
        } else {
            count(batch.selected());
            for (int i = 0; i < targets.size(); i++) {
                take(batch, targets.get(i).share(), receives[i]);
            }
        }
    }

    /** Each branch has one target, so its count needs no work per record. */
    private void takeByBranch(RecordBatch batch) {
        int taken = 0;
        for (int i = 0; i < branches; i++) {
            // Records for which no condition holds belong to the last branch if it is "otherwise".
            int index = hasOtherwise && i == branches - 1 ? BatchRouter.NONE : i;
            int count = take(batch, targets.get(i).share(), index);
            takenByBranch[i].add(count);
            taken += count;
        }
        dropped.add(batch.selected() - taken);
    }

    private int take(RecordBatch batch, RecordBatch share, int index) {
        int[] selection = batch.selection();
        int selected = batch.selected();
        int[] shareSelection = share.share(batch).selection();
        int count = 0;
        for (int i = 0; i < selected; i++) {
            shareSelection[count] = selection[i];
            count += chosen[i] == index ? 1 : 0;
        }
        share.select(count);
        return count;
    }

    private void take(RecordBatch batch, RecordBatch share, boolean[] received) {
        int[] selection = batch.selection();
        int selected = batch.selected();
        int[] shareSelection = share.share(batch).selection();
        int count = 0;
        for (int i = 0; i < selected; i++) {
            shareSelection[count] = selection[i];
            count += received[chosen[i]] ? 1 : 0;
        }
        share.select(count);
    }

    /**
     * Counts the records of each branch, and replaces "none" by the index of "otherwise", or by one more than that of
     * the last branch. Each record costs one increment in a small array. Routes whose branches have one target each do
     * not pay for it.
     */
    private void count(int selected) {
        int rest = hasOtherwise ? branches - 1 : branches;
        Arrays.fill(takenOfBatch, 0);
        for (int i = 0; i < selected; i++) {
            int branch = chosen[i] == BatchRouter.NONE ? rest : chosen[i];
            takenOfBatch[branch]++;
            chosen[i] = branch;
        }
        long copies = 0;
        for (int i = 0; i < branches; i++) {
            copies += (long) takenOfBatch[i] * copiesOfBranch[i];
        }
        copied.add(copies);
        for (int i = 0; i < branches; i++) {
            takenByBranch[i].add(takenOfBatch[i]);
        }
        dropped.add(takenOfBatch[branches]);
    }

    @Override
    protected @Nullable BatchStep passOn(RecordBatch batch) {
        out().add(batch.selected());
        targets.forEach(OpenTarget::send);
        return null;
    }

    /**
     * Returns how many records a branch received and passed. The first branch receives all records. Each later branch
     * receives those that no earlier branch took and that were not rejected: which condition had no result for a
     * rejected record is not counted.
     */
    @Override
    public Flow flow(int expression) {
        // Incoming records are read last, so that they are never fewer than the outgoing ones.
        long out = takenByBranch[expression].get();
        long excluded = expression == 0 ? 0 : rejected.get();
        for (int i = 0; i < expression; i++) {
            excluded += takenByBranch[i].get();
        }
        return new Flow(evaluated.get() - excluded, out);
    }

    @Override
    public Counter dropped() {
        return dropped;
    }

    @Override
    public Counter copied() {
        return copied;
    }

    @Override
    public Map<String, Counter> sent() {
        return OpenTarget.sent(targets);
    }
}
