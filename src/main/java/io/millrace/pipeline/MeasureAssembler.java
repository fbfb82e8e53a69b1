package io.millrace.pipeline;

import io.millrace.measure.AlertEvent;
import io.millrace.measure.AlertPlan;
import io.millrace.measure.MeasureListener;
import io.millrace.measure.MeasurePlan;
import io.millrace.measure.MeasureProcessor;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.schema.Schema;
import io.millrace.store.catalog.StoredDefinition;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.RegionWriters;
import io.millrace.store.write.StateStores;
import io.millrace.store.write.WriterName;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;

/** Creates the measures of a pipeline, with the destinations of their states, rows and alerts. */
final class MeasureAssembler {

    private static final Logger LOG = LoggerFactory.getLogger(MeasureAssembler.class);

    private final RegionWriters store;
    private final StateStores states;
    private final Endpoints endpoints;
    private final PipelinePlan pipeline;

    MeasureAssembler(RegionWriters store, StateStores states, Endpoints endpoints, PipelinePlan pipeline) {
        this.store = store;
        this.states = states;
        this.endpoints = endpoints;
        this.pipeline = pipeline;
    }

    /** @param pipelineName writer name of the pipeline */
    MeasureProcessor assemble(MeasurePlan plan, WriterName pipelineName) {
        WriterName name = pipelineName.part(plan.name());
        RegionWriter rows = writer(plan.definition().region(), name, plan.rowSchema());
        List<@Nullable RegionWriter> alerts = new ArrayList<>();
        for (AlertPlan alert : plan.alerts()) {
            alerts.add(writer(alert.definition().region(), name.part(alert.name()), alert.schema()));
        }
        boolean onDisk = pipeline.keepsOnDisk(this::onDisk);
        String catalogName = StoredDefinition.measureName(pipeline.name(), plan.name());
        MeasureProcessor keeper = new MeasureProcessor(
                plan,
                new CheckedStates(states.states(onDisk), () -> states.openMeasure(catalogName, plan.stored(), onDisk)),
                name.text(),
                rows,
                alerts,
                InstantSource.system(),
                System::nanoTime);
        plan.alerts().forEach(alert -> send(alert, keeper));
        return keeper;
    }

    private boolean onDisk(String region) {
        return store.definition(region).persistent();
    }

    private @Nullable RegionWriter writer(@Nullable String region, WriterName name, Schema schema) {
        return region == null
                ? null
                : store.writer(
                        region,
                        name,
                        schema,
                        (batch, ordinal, reason) ->
                                LOG.warn("region={} does not keep a row of {}: {}", region, name, reason.detail()));
    }

    private void send(AlertPlan alert, MeasureProcessor keeper) {
        String name = alert.definition().channel();
        if (name == null) {
            return;
        }
        MessageChannel channel = endpoints.channel(name);
        keeper.listen(new MeasureListener() {
            @Override
            public void alert(AlertEvent event) {
                if (event.alert().equals(alert.name())) {
                    send(channel, name, event);
                }
            }
        });
    }

    /** Sends an event. A subscriber that fails does not stop the pipeline, because the log contains the event too. */
    private static void send(MessageChannel channel, String name, AlertEvent event) {
        try {
            channel.send(new GenericMessage<>(event));
        } catch (RuntimeException e) {
            LOG.warn("channel={} did not take {}: {}", name, event, Failures.describe(e));
        }
    }
}
