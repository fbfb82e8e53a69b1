package io.millrace.pipeline.step.route;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A target of a running step.
 *
 * @param share a batch of the records that it receives, which shares the bytes of the step's batch
 * @param sent number of records that it has received
 */
record OpenTarget(TargetOutput output, RecordBatch share, Counter sent) {

    /** Takes all selected records of a batch. */
    void takeAll(RecordBatch batch) {
        int selected = batch.selected();
        System.arraycopy(batch.selection(), 0, share.share(batch).selection(), 0, selected);
        share.select(selected);
    }

    void send() {
        if (share.selected() > 0) {
            send(share);
        }
    }

    void send(RecordBatch batch) {
        int selected = batch.selected();
        output.output().accept(batch);
        sent.add(selected);
    }

    /** Returns the numbers of records that were sent to channels of the application, by the name of the channel. */
    static Map<String, Counter> sent(List<OpenTarget> targets) {
        return targets.stream()
                .filter(target -> target.output.keeps())
                .collect(Collectors.toMap(target -> target.output.channel(), OpenTarget::sent));
    }
}
