package io.millrace.bench;

import io.millrace.application.MillraceApplication;
import io.millrace.feed.generator.RecordGenerator;
import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.rules.RuleChanges;
import io.millrace.pipeline.shadow.Shadows;
import io.millrace.schema.Schemas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * What a shadow adds to a pipeline: {@value #TRADES} trades a batch through a filter, a computed field and a route into
 * two regions of blocks, without a shadow, with one of the same rules, and with one of rules that decide otherwise for
 * a tenth of the records. Run it by {@code ./mvnw -Pbench verify -Dbench=Shadow}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 10, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class ShadowBenchmark {

    private static final int TRADES = 8192;

    private static final String RULES = """
            steps:
              - filter: currency1 != 'JPY' and amount1 > 1000000
              - set: { notional: amount1 * exchangeRate }
              - route: [ { when: LIMIT, to: sells }, { otherwise: buys } ]
            """;

    private static final String LIVE = RULES.replace("LIMIT", "buySell == 'Sell'");

    /** Without a shadow, with one of the same rules, with one of other rules. */
    @Param({"none", "same", "other"})
    public String shadow;

    private ConfigurableApplicationContext context;
    private Pipeline pipeline;
    private byte[] trades;

    @Setup
    public void setUp() throws IOException {
        trades = new byte[TRADES * W1Data.LENGTH];
        RecordGenerator.of(Schemas.builtIn().get("trade"), 1).fill(trades, 0, TRADES);
        Files.createDirectories(W1Data.FOLDER);
        Path config = Files.writeString(W1Data.FOLDER.resolve("shadow.yml"), """
                millrace:
                  regions:
                    buys: { layout: blocks, retain: { size: 64MB } }
                    sells: { layout: blocks, retain: { size: 64MB } }
                  pipelines:
                    trades:
                      schema: trade
                """ + LIVE.indent(6));
        context = SpringApplication.run(
                MillraceApplication.class,
                "--spring.config.additional-location=" + config.toUri(),
                "--spring.docker.compose.enabled=false",
                "--spring.main.web-application-type=none",
                "--millrace.data=" + W1Data.FOLDER.resolve("shadow-data"));
        pipeline = context.getBean(Pipelines.class).named("trades").orElseThrow();
        while (pipeline.rules().version() == 0) {
            Thread.onSpinWait();
        }
        if (!shadow.equals("none")) {
            String rules = shadow.equals("same") ? LIVE : RULES.replace("LIMIT", "buySell == 'Sell' and id % 5 != 0");
            context.getBean(Shadows.class)
                    .start(context.getBean(RuleChanges.class).of("trades").orElseThrow(), rules, "bench");
        }
    }

    @TearDown
    public void tearDown() {
        context.getBean(Shadows.class)
                .of("trades")
                .ifPresent(shown -> System.out.println(shown.report().differences() + " of "
                        + shown.report().records() + ", steps " + shown.report().nanos() + " ns, live "
                        + shown.report().liveNanos() + " ns, in all "
                        + shown.report().totalNanos() + " ns a record"));
        context.close();
    }

    @Benchmark
    @OperationsPerInvocation(TRADES)
    public void send() {
        pipeline.send(trades);
    }
}
