package io.millrace.pipeline;

import io.millrace.codec.RejectSink;
import io.millrace.output.OutputDefinition;
import io.millrace.output.PositionedOutput;
import io.millrace.pipeline.step.Target;
import io.millrace.pipeline.step.TargetWriters;
import io.millrace.schema.Schema;
import io.millrace.store.Store;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.WriterName;
import java.util.Map;
import java.util.Objects;

/**
 * Creates writers to the regions of a store and to outputs.
 *
 * @param outputs outputs by name
 */
record StoredTargets(Store store, Map<String, OutputDefinition> outputs) implements TargetWriters {

    StoredTargets {
        outputs = Map.copyOf(outputs);
    }

    @Override
    public RegionWriter writer(Target target, WriterName name, Schema records, RejectSink rejects) {
        return switch (target) {
            case Target.RegionTarget(String region) -> store.writer(region, name, records, rejects);
            case Target.OutputTarget(String output) -> {
                OutputDefinition definition = Objects.requireNonNull(outputs.get(output));
                yield new PositionedOutput(target.text(), output, definition, name, records, rejects);
            }
            case Target.ChannelTarget _ -> throw new IllegalArgumentException("A channel has no writer.");
        };
    }
}
