package io.millrace.pipeline.step;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.expression.BatchRouter;
import io.millrace.pipeline.definition.StepPlan.RoutePlan;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
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
    private final List<Branch> branches = new ArrayList<>();
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
        channels.forEach(channel -> branches.add(new Branch(channel, new RecordBatch(schema), new Counter())));
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
        plan.router().route(batch, chosen, rejects);
        // What no condition holds for belongs to the last branch, if that is "otherwise".
        int otherwise = plan.hasOtherwise() ? branches.size() - 1 : branches.size();
        int taken = 0;
        for (int i = 0; i < branches.size(); i++) {
            taken += branches.get(i).take(batch, chosen, i == otherwise ? BatchRouter.NONE : i);
        }
        dropped.add(batch.selected() - taken);
    }

    @Override
    protected void forward(RecordBatch batch, Message<?> message) {
        for (Branch branch : branches) {
            branch.send(message);
        }
    }

    @Override
    public Counter dropped() {
        return dropped;
    }

    /** Records sent to channels of the user's since the step was made. */
    public long kept() {
        return branches.stream()
                .filter(branch -> branch.output.keeps())
                .mapToLong(branch -> branch.sent.get())
                .sum();
    }

    @Override
    public Map<String, String> getChannelMappings() {
        Map<String, String> mappings = new LinkedHashMap<>();
        for (int i = 0; i < branches.size(); i++) {
            mappings.put(Integer.toString(i), branches.get(i).output.name());
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

    /** One branch: its channel, and the batch that shows its share of the records. */
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
