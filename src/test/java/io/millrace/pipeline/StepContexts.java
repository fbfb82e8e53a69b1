package io.millrace.pipeline;

import io.millrace.codec.RejectSink;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.step.Retry;
import io.millrace.pipeline.step.RunContext;
import io.millrace.pipeline.step.StepOutput;
import io.millrace.pipeline.step.StopLatch;
import io.millrace.pipeline.step.TableRows;
import io.millrace.store.write.WriterName;
import java.util.Map;
import java.util.function.Function;
import org.springframework.integration.channel.NullChannel;

/** What steps need to run alone, without a store. */
final class StepContexts {

    private StepContexts() {}

    static RunContext of(PipelinePlan plan, Function<String, StepOutput> channels, RejectSink rejects) {
        return new RunContext(
                plan.name(),
                plan.schema(),
                plan.stages().get(Math.min(1, plan.stages().size() - 1)).schema(),
                _ -> new NullChannel(),
                target -> channels.apply(target.channel(plan.name())),
                rejects,
                new Retry(plan.name(), new StopLatch()),
                () -> {
                    throw new AssertionError("no store here");
                },
                (_, _, _, _) -> {
                    throw new AssertionError("no targets here");
                },
                new WriterName(plan.name(), null, 0, null),
                1,
                false,
                Map.of(),
                TableRows.CURRENT);
    }
}
