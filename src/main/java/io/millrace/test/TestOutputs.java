package io.millrace.test;

import io.millrace.codec.RecordBatch;
import io.millrace.config.plan.Setup;
import io.millrace.output.OutputContext;
import io.millrace.output.OutputDefinition;
import io.millrace.output.OutputWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Replaces the outputs of an application by ones that discard records, so that a test writes to no real place. */
final class TestOutputs implements BeanPostProcessor {

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (!(bean instanceof Setup setup)) {
            return bean;
        }
        Map<String, OutputDefinition> outputs = new LinkedHashMap<>();
        setup.outputs().forEach((output, definition) -> outputs.put(output, new Discarding(definition.describe())));
        return new Setup(setup.pipelines(), setup.regions(), outputs, setup.tables(), setup.map());
    }

    private record Discarding(String describe) implements OutputDefinition {

        @Override
        public OutputWriter create(OutputContext context) {
            return new OutputWriter() {
                @Override
                public long open(long epoch, long discardFrom) {
                    return 0;
                }

                @Override
                public void append(RecordBatch batch) {
                    // counted by the pipeline
                }

                @Override
                public void flush(long position) {
                    // has nothing
                }
            };
        }
    }
}
