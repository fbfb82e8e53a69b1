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
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Splits a batch: sends each record to the first branch whose condition holds. The branches share the batch's bytes;
 * each has its own selection.
 */
final class RouteStep extends BatchStep {

    private final BatchRouter router;
    private final boolean hasOtherwise;
    private final RejectSink rejects;
    private final int targets;
    private final List<OpenBranch> branches = new ArrayList<>();
    private final int[] branchOfTarget;
    private final Counter[] takenByTarget;
    private final int[] takenOfBatch;
    private final Counter evaluated = new Counter();
    private final Counter rejected = new Counter();
    private final Counter dropped = new Counter();
    private int[] chosen = new int[0];

    /**
     * @param schema schema of the batches
     * @param outputs one for each condition of the router, in order, and one for "otherwise" if there is one
     * @param hasOtherwise whether the last one receives the records for which no condition holds
     */
    RouteStep(
            String name,
            String kind,
            BatchRouter router,
            Schema schema,
            List<TargetOutput> outputs,
            boolean hasOtherwise,
            RejectSink rejects) {
        super(name, kind);
        this.router = router;
        this.hasOtherwise = hasOtherwise;
        this.rejects = rejects;
        this.targets = outputs.size();
        // Several targets can be the same. Their records must arrive as one batch in the order of the feed, because a
        // region's writer takes the last position of a batch as the position up to which the feed is processed.
        List<String> channels = outputs.stream().map(TargetOutput::channel).toList();
        List<String> different = channels.stream().distinct().toList();
        different.forEach(channel -> branches.add(
                new OpenBranch(outputs.get(channels.indexOf(channel)), new RecordBatch(schema), new Counter())));
        // One more element for the records that no target takes.
        this.branchOfTarget =
                Arrays.copyOf(channels.stream().mapToInt(different::indexOf).toArray(), targets + 1);
        branchOfTarget[targets] = BatchRouter.NONE;
        this.takenByTarget = Stream.generate(Counter::new).limit(targets).toArray(Counter[]::new);
        this.takenOfBatch = new int[targets + 1];
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
        boolean joined = branches.size() < targets;
        if (joined) {
            joinTargets(batch.selected());
        }
        // Records for which no condition holds belong to the last branch if it is "otherwise".
        int otherwise = hasOtherwise && !joined ? branches.size() - 1 : branches.size();
        int taken = 0;
        for (int i = 0; i < branches.size(); i++) {
            int branchCount = branches.get(i).take(batch, chosen, i == otherwise ? BatchRouter.NONE : i);
            taken += branchCount;
            if (!joined) {
                // Each branch has one target, so its count needs no work per record.
                takenByTarget[i].add(branchCount);
            }
        }
        dropped.add(batch.selected() - taken);
    }

    @Override
    protected void forward(RecordBatch batch) {
        out().add(batch.selected());
        branches.forEach(OpenBranch::send);
    }

    /**
     * Counts the records of each target and replaces target indices by branch indices, if several targets share a
     * channel. The branches then do not show the count of each target, so each record costs one increment in a small
     * array. Other routes do not pay for it.
     */
    private void joinTargets(int selected) {
        int rest = hasOtherwise ? targets - 1 : targets;
        Arrays.fill(takenOfBatch, 0);
        for (int i = 0; i < selected; i++) {
            int target = chosen[i] == BatchRouter.NONE ? rest : chosen[i];
            takenOfBatch[target]++;
            chosen[i] = branchOfTarget[target];
        }
        for (int i = 0; i < takenByTarget.length; i++) {
            takenByTarget[i].add(takenOfBatch[i]);
        }
    }

    /**
     * Returns how many records a branch received and passed. The first branch receives all records. Each later branch
     * receives those that no earlier branch took and that were not rejected: which condition had no result for a
     * rejected record is not counted.
     */
    @Override
    public Flow flow(int expression) {
        // Incoming records are read last, so that they are never fewer than the outgoing ones.
        long out = takenByTarget[expression].get();
        long excluded = expression == 0 ? 0 : rejected.get();
        for (int i = 0; i < expression; i++) {
            excluded += takenByTarget[i].get();
        }
        return new Flow(evaluated.get() - excluded, out);
    }

    @Override
    public Counter dropped() {
        return dropped;
    }

    @Override
    public Map<String, Counter> sent() {
        return branches.stream()
                .filter(branch -> branch.output.keeps())
                .collect(Collectors.toMap(branch -> branch.output.channel(), OpenBranch::sent));
    }

    /** A branch: its output, and a batch that contains its share of the records. */
    private record OpenBranch(TargetOutput output, RecordBatch share, Counter sent) {

        int take(RecordBatch batch, int[] chosen, int index) {
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

        void send() {
            int selected = share.selected();
            if (selected > 0) {
                output.output().accept(share);
                sent.add(selected);
            }
        }
    }
}
