package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.config.MillraceAutoConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What a record costs on its way from feed to region: its share of the stored value, and nothing else. */
class AllocationTest {

    @TempDir
    Path folder;

    @Test
    void shouldAllocateLessThanAByteForARecordBeyondWhatIsStored() throws Exception {
        Path desks = Files.writeString(folder.resolve("desks.csv"), "id,name\n0,Paris\n1,Milan\n");
        Path config = Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  tables:
                    desks: { file: %s, key: id }
                  regions:
                    buys: { layout: blocks }
                    sells: { layout: blocks }
                  pipelines:
                    trades:
                      feed: { generator: { count: 5000000 } }
                      schema: trade
                      steps:
                        - filter: currency1 != 'JPY' and amount1 > 1000000
                        - enrich: { table: desks, key: id %% 3, add: { desk: name } }
                        - set: { notional: amount1 * exchangeRate }
                        - route:
                            - { when: buySell == 'Buy', to: buys }
                            - { otherwise: sells }
                """.formatted(desks));
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                .withInitializer(new ConfigDataApplicationContextInitializer())
                .withPropertyValues("spring.config.location=" + config.toUri())
                .run(context -> {
                    Pipeline pipeline =
                            context.getBean(Pipelines.class).named("trades").orElseThrow();
                    await().until(() -> PipelineStatus.of(pipeline).in() > 2_500_000);
                    PipelineStatus warm = PipelineStatus.of(pipeline);
                    await().until(() -> pipeline.state() == PipelineState.DONE);
                    PipelineStatus done = PipelineStatus.of(pipeline);
                    double allocated = done.allocatedBytes() - warm.allocatedBytes();
                    double stored = done.storedBytes() - warm.storedBytes();
                    double perRecord = (allocated - stored) / (done.in() - warm.in());
                    assertThat(done.in() - warm.in()).isGreaterThan(1_000_000);
                    assertThat(perRecord).isLessThan(1);
                });
    }
}
