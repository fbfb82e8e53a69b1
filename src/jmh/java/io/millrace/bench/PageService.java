package io.millrace.bench;

import io.millrace.application.MillraceApplication;
import io.millrace.feed.generator.RecordGenerator;
import io.millrace.schema.yaml.Schemas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;

/**
 * The whole service with W1's steps and regions, which are sent trades as messages.
 *
 * @param context none before it was started
 */
record PageService(@Nullable ConfigurableApplicationContext context, Message<byte[]> batch) implements AutoCloseable {

    static final PageService NONE = new PageService(null, new GenericMessage<>(new byte[0]));

    private static final int BATCH = 2048;
    private static final long ARM_NANOS = 4_000_000_000L;

    /** @param arguments of the service in addition */
    static PageService start(String... arguments) throws IOException {
        W1Data.write();
        Path file = Files.writeString(W1Data.FOLDER.resolve("page.yml"), """
                millrace:
                  tables:
                    desks: { file: %s, key: id }
                  regions:
                    buys:  { layout: blocks, retain: { size: 128MB } }
                    sells: { layout: blocks, retain: { size: 128MB } }
                  pipelines:
                    w1:
                      schema: trade
                      steps:
                        - filter: currency1 != 'JPY' and amount1 > 1000000
                        - enrich: { table: desks, key: id %% 100000, add: { desk: desk } }
                        - set: { notional: amount1 * exchangeRate }
                        - route:
                            - { when: buySell == 'Buy', to: buys }
                            - { otherwise: sells }
                """.formatted(W1Data.DESKS_FILE));
        List<String> all = new ArrayList<>(List.of(
                "--spring.config.additional-location=file:" + file,
                "--server.port=0",
                // On the class path of tests; it would take a cluster that runs on this machine.
                "--spring.docker.compose.enabled=false",
                "--millrace.data=" + W1Data.FOLDER.resolve("page"),
                "--logging.level.io.millrace=warn"));
        all.addAll(List.of(arguments));
        ConfigurableApplicationContext context =
                SpringApplication.run(MillraceApplication.class, all.toArray(String[]::new));
        byte[] trades = new byte[BATCH * W1Data.LENGTH];
        RecordGenerator.of(Schemas.builtIn().get("trade"), 1).fill(trades, 0, BATCH);
        return new PageService(context, new GenericMessage<>(trades));
    }

    private ConfigurableApplicationContext started() {
        return Objects.requireNonNull(context);
    }

    /** Port that the web server listens on. */
    int port() {
        return Integer.parseInt(
                Objects.requireNonNull(started().getEnvironment().getProperty("local.server.port")));
    }

    /** Sends trades for some seconds; returns nanoseconds a trade. */
    double work() {
        MessageChannel in = started().getBean("w1.in", MessageChannel.class);
        long batches = 0;
        long began = System.nanoTime();
        long now = began;
        while (now - began < ARM_NANOS) {
            in.send(batch);
            batches++;
            now = System.nanoTime();
        }
        return (double) (now - began) / (batches * BATCH);
    }

    @Override
    public void close() {
        started().close();
    }
}
