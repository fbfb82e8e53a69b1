package io.millrace.pipeline.step;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.expression.BatchRouter;
import io.millrace.pipeline.definition.StepPlan.RoutePlan;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.integration.support.management.MappingMessageRouterManagement;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;

/**
 * Splits a batch: each record goes along the first branch whose condition holds. The branches share the batch's bytes,
 * each with a selection of its own.
 */
public final class RouteStep extends BatchStep implements DropsRecords, MappingMessageRouterManagement {

    private final RoutePlan plan;
    private final RejectSink rejects;
    private final List<Output> targets;
    private final List<Branch> branches = new ArrayList<>();
    private final int[] branchOfTarget;
    private final Counter[] takenByTarget;
    private final int[] takenOfBatch;
    private final Counter rejected = new Counter();
    private final Counter dropped = new Counter();
    private int[] chosen = new int[0];

    /**
     * @param schema of the batches
     * @param channels where each of the plan's targets is reached, in order
     */
    public RouteStep(RoutePlan plan, Schema schema, List<Output> channels, RejectSink rejects) {
        super(plan.name(), plan.kind());
        this.plan = plan;
        this.rejects = rejects;
        this.targets = List.copyOf(channels);
        // Targets may be the same: its records must arrive as one batch, in the order of the feed, since a region's
        // writer takes the last position that it sees as how far the feed is covered.
        List<Output> different = channels.stream().distinct().toList();
        different.forEach(channel -> branches.add(new Branch(channel, new RecordBatch(schema), new Counter())));
        // One more for the records that no target takes.
        this.branchOfTarget =
                Arrays.copyOf(channels.stream().mapToInt(different::indexOf).toArray(), targets.size() + 1);
        branchOfTarget[targets.size()] = BatchRouter.NONE;
        this.takenByTarget = Stream.generate(Counter::new).limit(targets.size()).toArray(Counter[]::new);
        this.takenOfBatch = new int[targets.size() + 1];
    }

    /**
     * Where a branch leads.
     *
     * @param name of the channel
     * @param channel itself
     * @param keeps whether a record sent there is kept by that alone: so with a channel of the user's, whereas a region
     *     counts what it has stored
     */
    public record Output(String name, MessageChannel channel, boolean keeps) {}

    @Override
    protected void process(RecordBatch batch) {
        if (chosen.length < batch.selected()) {
            chosen = new int[batch.selection().length];
        }
        int asked = batch.selected();
        plan.router().route(batch, chosen, rejects);
        rejected.add(asked - batch.selected());
        boolean joined = branches.size() < targets.size();
        if (joined) {
            joinTargets(batch.selected());
        }
        // What no condition holds for belongs to the last branch, if that is "otherwise".
        int otherwise = plan.hasOtherwise() && !joined ? branches.size() - 1 : branches.size();
        int taken = 0;
        for (int i = 0; i < branches.size(); i++) {
            int took = branches.get(i).take(batch, chosen, i == otherwise ? BatchRouter.NONE : i);
            taken += took;
            if (!joined) {
                // Each branch is one target's: its count costs nothing for a record.
                takenByTarget[i].add(took);
            }
        }
        dropped.add(batch.selected() - taken);
    }

    @Override
    protected void forward(RecordBatch batch, Message<?> message) {
        for (Branch branch : branches) {
            branch.send(message);
        }
    }

    /**
     * Where two targets are one channel: from the target's index to that of the branch that they share. What each
     * target took can't be told from the branches then, so it is counted here: one increment a record, in a small
     * array, and only for such routes.
     */
    private void joinTargets(int selected) {
        int rest = plan.hasOtherwise() ? targets.size() - 1 : targets.size();
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
     * What passed one of the branches. The first is asked for every record; each later one for what those before it did
     * not take, and was not rejected: which condition had no result for a rejected record is not counted.
     */
    @Override
    public Flow flow(int expression) {
        // What came in is read last, so that it is never less than what went out.
        long out = takenByTarget[expression].get();
        long gone = expression == 0 ? 0 : rejected.get();
        for (int i = 0; i < expression; i++) {
            gone += takenByTarget[i].get();
        }
        return new Flow(counters().in().get() - gone, out);
    }

    @Override
    public Counter dropped() {
        return dropped;
    }

    /** Records sent to channels of the user's since the step was made. */
    public long kept() {
        return sent().values().stream().mapToLong(Counter::get).sum();
    }

    /** The same for each of these channels, by its name. */
    public Map<String, Counter> sent() {
        return branches.stream()
                .filter(branch -> branch.output.keeps())
                .collect(Collectors.toMap(branch -> branch.output.name(), Branch::sent));
    }

    @Override
    public Map<String, String> getChannelMappings() {
        Map<String, String> mappings = new LinkedHashMap<>();
        for (int i = 0; i < targets.size(); i++) {
            mappings.put(Integer.toString(i), targets.get(i).name());
        }
        return mappings;
    }

    @Override
    public Collection<String> getDynamicChannelNames() {
        return List.of();
    }

    @Override
    public void setChannelMapping(String key, String channelName) {
        throw fixed();
    }

    @Override
    public void removeChannelMapping(String key) {
        throw fixed();
    }

    @Override
    public void replaceChannelMappings(Properties channelMappings) {
        throw fixed();
    }

    @Override
    public void setChannelMappings(Map<String, String> channelMappings) {
        throw fixed();
    }

    private static UnsupportedOperationException fixed() {
        return new UnsupportedOperationException("the branches of a route come from the pipeline's configuration");
    }

    /** One way out: its channel, and the batch that shows its share of the records. */
    private record Branch(Output output, RecordBatch share, Counter sent) {

        int take(RecordBatch batch, int[] chosen, int index) {
            int[] selection = batch.selection();
            int selected = batch.selected();
            int[] mine = share.share(batch).selection();
            int count = 0;
            for (int i = 0; i < selected; i++) {
                mine[count] = selection[i];
                count += chosen[i] == index ? 1 : 0;
            }
            share.select(count);
            return count;
        }

        void send(Message<?> message) {
            if (share.selected() > 0) {
                output.channel().send(new GenericMessage<>(share, message.getHeaders()));
                sent.add(share.selected());
            }
        }
    }
}
