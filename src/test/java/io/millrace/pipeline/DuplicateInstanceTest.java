package io.millrace.pipeline;

import static io.millrace.pipeline.rules.RulesRunner.pipeline;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.pipeline.rules.OtherProcess;
import io.millrace.pipeline.rules.RulesRunner;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes with the same instance name. */
class DuplicateInstanceTest {

    @TempDir
    Path folder;

    @Test
    void shouldFailWithTheCodeAndTheNameOfTheInstance() {
        new RulesRunner(folder)
                .file(null, "steps:\n- to: buys\n")
                .withPropertyValues("millrace.instance=host-1")
                .withBean(OtherProcess.class, OtherProcess::waiting)
                .run(context -> {
                    await().until(() -> pipeline(context).rules().version() > 0);
                    OtherProcess.of(context).takeOver();
                    await().until(() -> pipeline(context).terminated());
                    assertThat(pipeline(context).state()).isEqualTo(PipelineState.FAILED);
                    assertThat(pipeline(context).error())
                            .isEqualTo("Another process runs pipeline 'trades' as instance 'host-1'. Set"
                                    + " millrace.instance to a name of its own in each process. [duplicate-instance]");
                });
    }
}
