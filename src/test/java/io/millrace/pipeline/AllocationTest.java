package io.millrace.pipeline;

import static org.awaitility.Awaitility.await;

import io.millrace.config.MillraceAutoConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What a record costs on its way from feed to region: its share of the stored value, and nothing else. */
class AllocationTest {

    private static final int RECORDS = 4_000_000;

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
                    buys: { layout: blocks, retain: { size: 50MB } }
                    sells: { layout: blocks, retain: { size: 50MB } }
                  pipelines:
                    trades:
                      feed: { generator: { count: 10000000000 } }
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
                    // The optimizing compiler removes the last allocations of the loops, after a while, for good.
                    await().until(() -> IntStream.range(0, 3).allMatch(_ -> allocatedPerRecord(pipeline) < 1));
                });
    }

    /** Returns the bytes that each of {@value #RECORDS} records has cost in addition to what was stored. */
    private static double allocatedPerRecord(Pipeline pipeline) {
        PipelineStatus before = PipelineStatus.of(pipeline);
        await().until(() -> PipelineStatus.of(pipeline).in() > before.in() + RECORDS);
        PipelineStatus after = PipelineStatus.of(pipeline);
        double allocated = after.allocatedBytes() - before.allocatedBytes();
        double stored = after.storedBytes() - before.storedBytes();
        return (allocated - stored) / (after.in() - before.in());
    }
}
