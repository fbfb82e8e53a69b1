package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.codec.RecordBatch;
import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.pipeline.TradeFile.Trade;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.ChannelInterceptor;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.messaging.support.InterceptableChannel;

class ConservationTest {

    @TempDir
    Path folder;

    private final ApplicationContextRunner context = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
            .withPropertyValues(
                    "millrace.regions.large.layout=blocks",
                    "millrace.pipelines.trades.schema=trade",
                    "millrace.pipelines.trades.steps[0].filter=amount1 > 1000000",
                    "millrace.pipelines.trades.steps[1].to=large");

    private void run(BiConsumer<ApplicationContext, Pipeline> test) {
        context.withPropertyValues("millrace.data=" + folder)
                .run(started -> test.accept(
                        started,
                        started.getBean(Pipelines.class).named("trades").orElseThrow()));
    }

    private static void send(ApplicationContext beans) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        List<Trade> trades = TradeFile.random(1000, 5);
        trades.forEach(trade -> bytes.writeBytes(trade.bytes()));
        beans.getBean("trades.in", MessageChannel.class).send(new GenericMessage<>(bytes.toByteArray()));
    }

    @Test
    void shouldHoldWhileRecordsPassAndAfterwards() {
        run((beans, pipeline) -> {
            assertThat(Conservation.holds(pipeline)).isTrue();
            for (int i = 0; i < 50; i++) {
                send(beans);
                assertThat(Conservation.holds(pipeline)).isTrue();
            }
            await().until(() -> PipelineStatus.of(pipeline).inFlight() == 0);
            assertThat(Conservation.holds(pipeline)).isTrue();
        });
    }

    @Test
    void shouldFailWhereARecordIsLost() {
        run((beans, pipeline) -> {
            // Takes a record out of a selection that is not its own.
            beans.getBean("trades.admitted", InterceptableChannel.class).addInterceptor(new ChannelInterceptor() {
                @Override
                public Message<?> preSend(Message<?> message, MessageChannel channel) {
                    RecordBatch batch = (RecordBatch) message.getPayload();
                    batch.select(batch.selected() - 1);
                    return message;
                }
            });
            send(beans);
            assertThat(Conservation.holds(pipeline)).isFalse();
            assertThat(PipelineStatus.of(pipeline).inFlight()).isPositive();
        });
    }
}
