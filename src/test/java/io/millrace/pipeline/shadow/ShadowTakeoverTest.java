package io.millrace.pipeline.shadow;

import static io.millrace.pipeline.rules.RulesRunner.pipeline;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.millrace.pipeline.PipelineState;
import io.millrace.pipeline.TradeFile;
import io.millrace.pipeline.rules.OtherProcess;
import io.millrace.pipeline.rules.RuleChanges;
import io.millrace.pipeline.rules.RulesRunner;
import io.millrace.pipeline.rules.RulesRunner.Gate;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ApplicationContext;

/** Shadows of pipelines that another process runs, or that have ended. */
class ShadowTakeoverTest {

    private static final String LIVE = "steps:\n- to: buys\n";
    private static final String OTHER = "steps:\n- filter: id % 2 == 0\n- to: buys\n";

    @TempDir
    Path folder;

    private RulesRunner runner;
    private Path file;

    @BeforeEach
    void prepare() throws IOException {
        runner = new RulesRunner(folder);
        file = TradeFile.write(folder.resolve("trades.bin"), TradeFile.random(20_000, 1));
    }

    private static RunningShadow start(ApplicationContext context) {
        return context.getBean(Shadows.class)
                .start(context.getBean(RuleChanges.class).of("trades").orElseThrow(), OTHER, "ann");
    }

    @Test
    void shouldEndWhenAnotherProcessTakesOver() {
        runner.gated(file, LIVE)
                .withUserConfiguration(ShadowClock.class)
                .withBean(OtherProcess.class, OtherProcess::waiting)
                .run(context -> {
                    Gate gate = Gate.of(context);
                    gate.pass(2);
                    await().until(() -> pipeline(context).rules().version() > 0);
                    RunningShadow shadow = start(context);
                    gate.pass(3);
                    await().until(() -> shadow.report().records() > 0);
                    assertThat(shadow.ended()).isNull();

                    OtherProcess.of(context).takeOver();
                    gate.open();
                    await().until(() -> pipeline(context).state() == PipelineState.STANDBY);
                    await().untilAsserted(() ->
                            assertThat(shadow.ended()).isEqualTo("Another process runs the pipeline now."));
                    long records = shadow.report().records();
                    assertThat(records).isPositive();

                    // The process runs it again, and the shadow stays as it is.
                    OtherProcess.of(context).stop();
                    await().until(() -> pipeline(context).state() == PipelineState.DONE);
                    assertThat(shadow.report().records()).isEqualTo(records);
                    assertThat(shadow.ended()).isEqualTo("Another process runs the pipeline now.");
                    assertThat(start(context).ended()).isNull();
                });
    }

    @Test
    void shouldEndWhenThePipelineFails() {
        runner.file(null, LIVE)
                .withBean(OtherProcess.class, OtherProcess::waiting)
                .run(context -> {
                    await().until(() -> pipeline(context).rules().version() > 0);
                    RunningShadow shadow = start(context);
                    // A feed without positions can't continue elsewhere.
                    OtherProcess.of(context).takeOver();
                    await().until(() -> pipeline(context).terminated());
                    assertThat(pipeline(context).state()).isEqualTo(PipelineState.FAILED);
                    assertThat(shadow.ended()).isEqualTo("The pipeline has failed.");
                });
    }

    @Test
    void shouldRefuseAShadowOnAStandby() {
        runner.file(file, LIVE)
                .withBean(OtherProcess.class, OtherProcess::owning)
                .run(context -> {
                    await().until(() -> pipeline(context).owner() != null);
                    assertThatExceptionOfType(ShadowException.class)
                            .isThrownBy(() -> start(context))
                            .withMessage(
                                    "Pipeline 'trades' runs in " + OtherProcess.NAME + ". Send the request there.");
                    assertThat(context.getBean(Shadows.class).of("trades")).isEmpty();
                });
    }
}
