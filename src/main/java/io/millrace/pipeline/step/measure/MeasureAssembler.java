package io.millrace.pipeline.step.measure;

import io.millrace.background.LogLimit;
import io.millrace.background.SteadyClock;
import io.millrace.measure.AlertEvent;
import io.millrace.measure.plan.AlertPlan;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.run.MeasureListener;
import io.millrace.measure.run.MeasureProcessor;
import io.millrace.measure.run.RowWriters;
import io.millrace.pipeline.step.Failures;
import io.millrace.pipeline.step.RunContext;
import io.millrace.pipeline.step.Target;
import io.millrace.pipeline.step.TargetNames;
import io.millrace.schema.Schema;
import io.millrace.store.catalog.StoredDefinition;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.StateStore;
import io.millrace.store.write.WriterName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;

/** Creates a measure of a pipeline, with the destinations of its state, rows and alerts. */
final class MeasureAssembler {

    private static final Logger LOG = LoggerFactory.getLogger(MeasureAssembler.class);

    private final RunContext run;

    MeasureAssembler(RunContext run) {
        this.run = run;
    }

    /** Returns the processor of a measure: the one that runs already, if there is one. */
    MeasureProcessor processor(MeasurePlan plan) {
        MeasureProcessor running = run.measures().get(plan.name());
        return running == null ? assemble(plan) : running;
    }

    private MeasureProcessor assemble(MeasurePlan plan) {
        WriterName name = run.writer().part(plan.name());
        String catalogName = StoredDefinition.measureName(run.pipeline(), plan.name());
        StateStore states = new CheckedStates(
                run.store().get().states(run.persistent()),
                () -> run.store().get().openMeasure(catalogName, plan.stored(), run.persistent()));
        return run.writer().partition() == 0
                ? first(plan, states, name)
                : MeasureProcessor.other(plan, states, name.text(), SteadyClock.SYSTEM, System::nanoTime);
    }

    private MeasureProcessor first(MeasurePlan plan, StateStore states, WriterName name) {
        List<RowWriters.Writer> rows = writers(plan.definition().to(), name, plan.rowSchema());
        Map<String, List<RowWriters.Writer>> alerts = new HashMap<>();
        for (AlertPlan alert : plan.alerts()) {
            alerts.put(alert.name(), writers(alert.definition().to(), name.part(alert.name()), alert.schema()));
        }
        MeasureProcessor processor = MeasureProcessor.first(
                plan,
                states,
                IntStream.range(0, run.partitions())
                        .mapToObj(partition -> name.inPartition(partition).text())
                        .toList(),
                new RowWriters(rows, alerts),
                SteadyClock.SYSTEM,
                System::nanoTime);
        plan.alerts().forEach(alert -> send(alert, processor));
        return processor;
    }

    private List<RowWriters.Writer> writers(List<String> to, WriterName name, Schema schema) {
        return new TargetNames(to)
                .targets().stream()
                        .filter(target -> !(target instanceof Target.ChannelTarget))
                        .map(target -> writer(target, name, schema))
                        .toList();
    }

    private RowWriters.Writer writer(Target target, WriterName name, Schema schema) {
        LogLimit unwritten = new LogLimit();
        RegionWriter writer = run.writers().writer(target, name, schema, (batch, ordinal, reason) -> {
            if (unwritten.next(System.nanoTime()) != LogLimit.LEFT_OUT) {
                LOG.warn(
                        "Row of a measure rejected: target={} measure={} reason={}",
                        target.text(),
                        name,
                        reason.detail());
            }
        });
        return new RowWriters.Writer(target.text() + "#" + name.part(), writer, target instanceof Target.OutputTarget);
    }

    private void send(AlertPlan alert, MeasureProcessor processor) {
        for (Target target : new TargetNames(alert.definition().to()).targets()) {
            if (target instanceof Target.ChannelTarget(String name)) {
                MessageChannel channel = run.channels().apply(name);
                processor.listen(new MeasureListener() {
                    @Override
                    public void alert(AlertEvent event) {
                        if (event.alert().equals(alert.name())) {
                            send(channel, name, event);
                        }
                    }
                });
            }
        }
    }

    /** Sends an event. A subscriber that fails does not stop the pipeline, because the log contains the event too. */
    private static void send(MessageChannel channel, String name, AlertEvent event) {
        try {
            channel.send(new GenericMessage<>(event));
        } catch (RuntimeException e) {
            LOG.warn(
                    "Channel failed to receive an alert: channel={} alert={} reason={}",
                    name,
                    event,
                    Failures.describe(e));
        }
    }
}
