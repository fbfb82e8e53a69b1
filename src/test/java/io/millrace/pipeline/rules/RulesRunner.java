package io.millrace.pipeline.rules;

import static org.awaitility.Awaitility.await;

import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineState;
import io.millrace.pipeline.PipelineStatus;
import io.millrace.pipeline.Pipelines;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import io.millrace.store.write.RuleUse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.ChannelInterceptor;
import org.springframework.messaging.support.InterceptableChannel;

/** Pipelines whose rules change while they run. */
public final class RulesRunner {

    public static final String REGIONS = """
            buys: { layout: blocks, block-records: 64, persistent: true, schema: trade }
            sells: { layout: entries, key: id, persistent: true, schema: trade }
            """;

    private final Path folder;

    public RulesRunner(Path folder) {
        this.folder = folder;
    }

    /** Runs one that reads a file in batches of 100 records, as the gate lets them pass. */
    public ApplicationContextRunner gated(Path file, String steps) {
        return file(file, steps).withBean(Gate.class);
    }

    /** Runs one that reads a file in batches of 100 records. */
    public ApplicationContextRunner file(@Nullable Path file, String steps, String... more) {
        return configured(REGIONS, file == null ? "" : "feed: { file: " + file + " }", steps, more);
    }

    public ApplicationContextRunner configured(String regions, String feed, String steps, String... more) {
        try {
            Path config = Files.writeString(folder.resolve("config.yml"), """
                    millrace:
                      batch-records: 100
                      flush: 20ms
                      regions:
                    %s
                      pipelines:
                        trades:
                          %s
                          schema: trade
                    %s
                    %s
                    """.formatted(
                            regions.indent(4),
                            feed,
                            steps.indent(6),
                            String.join("\n", more).indent(6)));
            return new ApplicationContextRunner()
                    .withConfiguration(
                            AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                    .withInitializer(new ConfigDataApplicationContextInitializer())
                    .withPropertyValues(
                            "spring.config.location=" + config.toUri(), "millrace.data=" + folder.resolve("data"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Pipeline pipeline(ApplicationContext context) {
        return context.getBean(Pipelines.class).named("trades").orElseThrow();
    }

    public static PipelineStatus done(ApplicationContext context) {
        await().until(() -> pipeline(context).state() == PipelineState.DONE);
        return PipelineStatus.of(pipeline(context));
    }

    public static RuleChange by(String author) {
        return new RuleChange(author, "-", "test", "", null, false, false);
    }

    public static RuleChange expecting(long newest) {
        return new RuleChange("ann", "-", "test", "", newest, false, false);
    }

    public static RuleResult change(ApplicationContext context, String steps) {
        return change(context, steps, by("ann"));
    }

    public static RuleResult change(ApplicationContext context, String steps, RuleChange change) {
        return context.getBean(RuleChanges.class).change("trades", steps, change);
    }

    public static RuleHistory history(ApplicationContext context) {
        return context.getBean(RuleChanges.class).of("trades").orElseThrow().history();
    }

    /** The version that the history names for a position. */
    public static long version(List<RuleUse> uses, long position) {
        return uses.stream()
                .filter(use -> use.since() <= position)
                .mapToLong(RuleUse::version)
                .max()
                .orElseThrow();
    }

    /** All records of a region, by id. */
    public static List<Map<String, Object>> all(ApplicationContext context, String region) {
        Store store = context.getBean(Store.class);
        List<Map<String, Object>> all = new ArrayList<>();
        long last = 0;
        while (true) {
            List<Map<String, Object>> records = List.copyOf(
                    store.query(region, new Query("id > " + last, List.of(), List.of("id"), Query.MAX_LIMIT))
                            .records());
            if (records.isEmpty()) {
                return all;
            }
            all.addAll(records);
            last = id(records.getLast());
        }
    }

    public static long id(Map<String, Object> record) {
        return (Long) Objects.requireNonNull(record.get("id"));
    }

    public static long rate(Map<String, Object> record) {
        return Math.round((Double) Objects.requireNonNull(record.get("exchangeRate")));
    }

    /** Lets batches pass one by one, from the first one on. */
    public static final class Gate implements ChannelInterceptor, SmartInitializingSingleton {

        private final Semaphore batches = new Semaphore(0);
        private final InterceptableChannel channel;

        Gate(@Qualifier("trades.in") InterceptableChannel channel) {
            this.channel = channel;
        }

        public static Gate of(ApplicationContext context) {
            return context.getBean(Gate.class);
        }

        @Override
        public void afterSingletonsInstantiated() {
            channel.addInterceptor(this);
        }

        public void pass(int count) {
            batches.release(count);
        }

        public void open() {
            batches.release(1_000_000);
        }

        /** Lets batches pass until a change is applied. A pipeline that has not started would refuse it. */
        public RuleResult passUntilChanged(ApplicationContext context, String steps) {
            await().until(() -> pipeline(context).rules().version() > 0);
            CompletableFuture<RuleResult> changed = CompletableFuture.supplyAsync(() -> change(context, steps));
            await().pollInterval(Duration.ofMillis(20)).until(() -> {
                pass(1);
                return changed.isDone();
            });
            return changed.join();
        }

        @Override
        public Message<?> preSend(Message<?> message, MessageChannel sent) {
            batches.acquireUninterruptibly();
            return message;
        }
    }
}
