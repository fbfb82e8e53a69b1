package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.application.MillraceApplication;
import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.expression.error.FunctionException;
import io.millrace.expression.function.ExpressionFunction;
import io.millrace.pipeline.TradeFile.Trade;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Functions that are beans, in a running pipeline and in queries. */
class FunctionBeansTest {

    @TempDir
    Path folder;

    /** A function with a state of its own. */
    @Configuration
    static class Desks {
        /** Which desk a trade is of. */
        public static final class Desk {
            private final long desks;

            Desk(long desks) {
                this.desks = desks;
            }

            public long of(long id) {
                return id % desks;
            }
        }

        @Bean
        ExpressionFunction desk() {
            return ExpressionFunction.of("desk", new Desk(7), "of");
        }
    }

    @Configuration
    static class OtherDesks {
        @Bean
        ExpressionFunction otherDesk() {
            return ExpressionFunction.of("desk", new Desks.Desk(3), "of");
        }
    }

    private Path config(List<Trade> trades) throws IOException {
        Path file = TradeFile.write(folder.resolve("trades.bin"), trades);
        return Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  regions:
                    kept: { layout: blocks }
                  pipelines:
                    trades:
                      feed: { file: %s }
                      schema: trade
                      steps:
                        - filter: "#desk(id) == 3"
                        - set: { desk: "#desk(id) + 100" }
                        - to: kept
                """.formatted(file));
    }

    private ApplicationContextRunner runner(Class<?>... configurations) throws IOException {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                .withUserConfiguration(configurations)
                .withInitializer(new ConfigDataApplicationContextInitializer())
                .withPropertyValues(
                        "spring.config.location="
                                + config(TradeFile.random(1000, 5)).toUri(),
                        "millrace.data=" + folder.resolve("data"));
    }

    @Test
    void shouldBeCalledByPipelinesAndQueries() throws IOException {
        runner(Desks.class).run(context -> {
            Pipeline pipeline = context.getBean(Pipelines.class).named("trades").orElseThrow();
            await().until(() -> pipeline.state() == PipelineState.DONE);
            Store store = context.getBean(Store.class);
            List<Map<String, Object>> all = List.copyOf(store.query("kept", new Query(null, List.of(), List.of(), 1000))
                    .records());
            assertThat(all)
                    .extracting(record -> record.get("id"))
                    .containsExactlyElementsOf(LongStream.rangeClosed(1, 1000)
                            .filter(id -> id % 7 == 3)
                            .boxed()
                            .toList());
            assertThat(all).allSatisfy(record -> assertThat(record).containsEntry("desk", 103L));
            assertThat(store.query("kept", new Query("#desk(id + 1) == 4 and id < 20", List.of("id"), List.of(), 10))
                            .records())
                    .extracting(record -> record.get("id"))
                    .containsExactly(3L, 10L, 17L);
            assertThat(store.query("kept", new Query(null, List.of("id"), List.of("#desk(id / 7)", "id"), 2))
                            .records())
                    .extracting(record -> record.get("id"))
                    .containsExactly(3L, 52L);
        });
    }

    @Test
    void shouldRefuseTwoOfOneName() throws IOException {
        runner(Desks.class, OtherDesks.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(FunctionException.class)
                        .hasMessage("Function 'desk': Duplicate name. Rename one."));
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void shouldSayWhatIsWrongWithAFunction(CapturedOutput output) throws IOException {
        SpringApplicationBuilder application =
                new SpringApplicationBuilder(MillraceApplication.class, Desks.class, OtherDesks.class);
        Path config = config(TradeFile.random(1, 5));
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() ->
                        application.run("--server.port=0", "--spring.config.additional-location=" + config.toUri())))
                .isNotNull();
        assertThat(output).contains("Function 'desk': Duplicate name. Rename one. [invalid-function]");
    }
}
