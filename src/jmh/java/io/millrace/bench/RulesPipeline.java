package io.millrace.bench;

import io.millrace.application.MillraceApplication;
import io.millrace.feed.generator.RecordGenerator;
import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.rules.FollowedRules;
import io.millrace.pipeline.rules.RuleChange;
import io.millrace.pipeline.rules.RuleChanges;
import io.millrace.pipeline.shadow.Shadows;
import io.millrace.schema.yaml.Schemas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** A service with a pipeline whose rules change: a filter, a computed field and a route into two regions of blocks. */
final class RulesPipeline implements AutoCloseable {

    /** Number of trades that are sent at a time. */
    static final int TRADES = 8192;

    private static final String RULES = """
            steps:
              - filter: currency1 != 'JPY' and amount1 > 1000000
              - set: { notional: amount1 * exchangeRate }
              - route: [ { when: CONDITION, to: sells }, { otherwise: buys } ]
            """;

    private final ConfigurableApplicationContext context;
    private final Pipeline pipeline;
    private final byte[] trades = new byte[TRADES * W1Data.LENGTH];

    /** Starts the service, and waits until the pipeline has a version of its rules. */
    RulesPipeline() throws IOException {
        RecordGenerator.of(Schemas.builtIn().get("trade"), 1).fill(trades, 0, TRADES);
        Files.createDirectories(W1Data.FOLDER);
        Path config = Files.writeString(W1Data.FOLDER.resolve("rules.yml"), """
                millrace:
                  regions:
                    buys: { layout: blocks, retain: { size: 64MB } }
                    sells: { layout: blocks, retain: { size: 64MB } }
                  pipelines:
                    trades:
                      schema: trade
                """ + rules(0).indent(6));
        context = SpringApplication.run(
                MillraceApplication.class,
                "--spring.config.additional-location=" + config.toUri(),
                "--spring.docker.compose.enabled=false",
                "--server.port=0",
                "--logging.level.io.millrace=warn",
                "--millrace.data=" + W1Data.FOLDER.resolve("rules-data"));
        pipeline = context.getBean(Pipelines.class).named("trades").orElseThrow();
        while (pipeline.rules().version() == 0) {
            Thread.onSpinWait();
        }
    }

    /**
     * Returns rules.
     *
     * @param other 0 for the live rules, otherwise rules that send some of the sells to the other region
     */
    static String rules(int other) {
        return RULES.replace(
                "CONDITION", other == 0 ? "buySell == 'Sell'" : "buySell == 'Sell' and id % " + (other + 4) + " != 0");
    }

    Shadows shadows() {
        return context.getBean(Shadows.class);
    }

    FollowedRules followed() {
        return context.getBean(RuleChanges.class).of("trades").orElseThrow();
    }

    /** Changes the rules, and waits until they are used. */
    void change(String rules) {
        context.getBean(RuleChanges.class)
                .change("trades", rules, new RuleChange("bench", "-", "bench", "", null, false, false));
    }

    void send() {
        pipeline.send(trades);
    }

    @Override
    public void close() {
        context.close();
    }
}
