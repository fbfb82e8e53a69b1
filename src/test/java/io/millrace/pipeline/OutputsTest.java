package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.extension.PropertyCheck;
import io.millrace.feed.generator.RecordGenerator;
import io.millrace.output.OutputContext;
import io.millrace.output.OutputDefinition;
import io.millrace.output.OutputFactory;
import io.millrace.output.OutputWriter;
import io.millrace.pipeline.TradeFile.Trade;
import io.millrace.pipeline.rules.RulesException;
import io.millrace.pipeline.rules.RulesRunner;
import io.millrace.pipeline.tap.TapPoint;
import io.millrace.pipeline.tap.TapPoints;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import io.millrace.store.write.RuleUse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.integration.channel.PublishSubscribeChannel;

/** Records that a pipeline sends to outputs: files, and a kind of an application. */
class OutputsTest {

    private static final int TRADES = 60_000;

    private static final String CONFIG = """
            millrace:
              data: FOLDER/data
              flush: 20ms
              regions:
                buys: { layout: blocks, persistent: true }
              outputs:
                large: { file: { folder: FOLDER/large, format: binary } }
                rest:  { file: { folder: FOLDER/rest, format: csv } }
              pipelines:
                trades:
                  partitions: 2
                  feed: { file: FOLDER/trades.bin }
                  schema: trade
                  steps:
                    - filter: id % 5 != 0
                    - route:
                        - { when: buySell == 'Buy', to: [ buys, 'output:large' ] }
                        - { otherwise: 'output:rest' }
            """;

    @TempDir
    Path folder;

    private final ByteArrayOutputStream all = new ByteArrayOutputStream();
    private List<Trade> trades = List.of();

    @BeforeEach
    void writeFile() throws Exception {
        trades = TradeFile.random(TRADES, 19);
        append(0, TRADES / 2);
    }

    private void append(int from, int to) throws IOException {
        for (Trade trade : trades.subList(from, to)) {
            all.writeBytes(trade.bytes());
        }
        Files.write(
                folder.resolve("trades.bin"), all.toByteArray(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        all.reset();
    }

    private ApplicationContextRunner runner(String config) throws Exception {
        Path written = Files.writeString(folder.resolve("config.yml"), config.replace("FOLDER", folder.toString()));
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                .withInitializer(new ConfigDataApplicationContextInitializer())
                .withPropertyValues("spring.config.location=" + written.toUri());
    }

    private void run(String config, Consumer<ApplicationContext> test) throws Exception {
        runner(config).run(context -> {
            assertThat(context).hasNotFailed();
            await().until(pipeline(context)::ended);
            assertThat(pipeline(context).error()).isNull();
            test.accept(context);
        });
    }

    private static Pipeline pipeline(ApplicationContext context) {
        return context.getBean(Pipelines.class).named("trades").orElseThrow();
    }

    private List<Trade> kept(int count, Predicate<Trade> selected) {
        return trades.subList(0, count).stream()
                .filter(trade -> trade.id() % 5 != 0)
                .filter(selected)
                .toList();
    }

    private List<Path> files(String output) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve(output))) {
            return files.filter(file -> !file.toString().endsWith(".position"))
                    .sorted()
                    .toList();
        }
    }

    /** Each of the files has the trades of one partition in their order. */
    private List<Trade> binary(String output) throws IOException {
        Map<Long, Trade> byId = new TreeMap<>();
        for (Path file : files(output)) {
            long last = 0;
            for (Trade trade : TradeFile.read(Files.readAllBytes(file))) {
                assertThat(trade.id()).isGreaterThan(last);
                last = trade.id();
                assertThat(byId.put(trade.id(), trade)).isNull();
            }
        }
        return List.copyOf(byId.values());
    }

    private List<Long> idsOfCsv(String output) throws IOException {
        List<Long> ids = new ArrayList<>();
        for (Path file : files(output)) {
            List<String> lines = Files.readAllLines(file);
            assertThat(lines.getFirst()).startsWith("ID,");
            lines.stream().skip(1).forEach(line -> ids.add(Long.parseLong(line.substring(0, line.indexOf(',')))));
        }
        return ids.stream().sorted().toList();
    }

    private void requireWritten(ApplicationContext context, int count) {
        try {
            assertThat(binary("large")).isEqualTo(kept(count, Trade::buy));
            assertThat(idsOfCsv("rest"))
                    .isEqualTo(kept(count, trade -> !trade.buy()).stream()
                            .map(Trade::id)
                            .toList());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        assertThat(context.getBean(Store.class)
                        .query("buys", new Query(null, List.of("id"), List.of(), 1_000_000))
                        .records())
                .hasSize(kept(count, Trade::buy).size());
    }

    @Test
    void shouldWriteEachRecordOnceAcrossRestarts() throws Exception {
        run(CONFIG, context -> {
            requireWritten(context, TRADES / 2);
            PipelineStatus status = PipelineStatus.of(pipeline(context));
            assertThat(status.inFlight()).isZero();
            assertThat(status.rejected()).isZero();
        });
        append(TRADES / 2, TRADES - 1);
        run(CONFIG, context -> {
            requireWritten(context, TRADES - 1);
            assertThat(PipelineStatus.of(pipeline(context)).in()).isEqualTo(TRADES / 2 - 1);
        });
        append(TRADES - 1, TRADES);
        run(CONFIG, context -> requireWritten(context, TRADES));
    }

    /** The commit in memory is lost, but the files know how far they are. */
    @Test
    void shouldWriteEachRecordOnceIfNothingElseIsOnDisk() throws Exception {
        String memory = CONFIG.replace("persistent: true", "persistent: false");
        run(memory, context -> requireWritten(context, TRADES / 2));
        append(TRADES / 2, TRADES);
        run(memory, context -> {
            assertThat(PipelineStatus.of(pipeline(context)).in()).isEqualTo(TRADES);
            requireWritten(context, TRADES);
        });
        // Its position belongs to this file, and to two partitions.
        runner(memory.replace("partitions: 2", "partitions: 3")).run(context -> {
            await().until(() -> pipeline(context).state() == PipelineState.FAILED);
            assertThat(pipeline(context).error()).endsWith("[changed-partitions]");
        });
        TradeFile.write(folder.resolve("trades.bin"), TradeFile.random(TRADES, 20));
        runner(memory).run(context -> {
            await().until(() -> pipeline(context).state() == PipelineState.FAILED);
            assertThat(pipeline(context).error()).contains("trades.bin");
        });
        assertThat(binary("large")).isEqualTo(kept(TRADES, Trade::buy));
    }

    /** The batch that fails has been appended to the outputs before. */
    @Test
    void shouldWriteEachRecordOnceThoughALaterTargetFails() throws Exception {
        String config = CONFIG.replace("'output:rest' }", "[ 'output:rest', 'channel:mine' ] }");
        AtomicInteger batches = new AtomicInteger();
        runner(config)
                .withBean("mine", PublishSubscribeChannel.class, PublishSubscribeChannel::new)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    context.getBean("mine", PublishSubscribeChannel.class).subscribe(message -> {
                        if (batches.incrementAndGet() % 7 == 3) {
                            throw new IllegalStateException("not this batch");
                        }
                    });
                    int restarts = 0;
                    while (true) {
                        await().until(() ->
                                pipeline(context).ended() || pipeline(context).state() == PipelineState.FAILED);
                        if (pipeline(context).state() != PipelineState.FAILED) {
                            break;
                        }
                        restarts++;
                        pipeline(context).restart().get();
                    }
                    assertThat(restarts).isPositive();
                    assertThat(PipelineStatus.of(pipeline(context)).inFlight()).isZero();
                    requireWritten(context, TRADES / 2);
                });
    }

    /** An output does not get a record again that it has rejected, so the reject has to be stored before. */
    @Test
    void shouldStoreRejectsBeforeTheOutputSaysThatItHasTheRest() throws Exception {
        String config = CONFIG.replace("file: { folder: FOLDER/rest, format: csv }", "memory: { failures: 0 }")
                .replace("partitions: 2", "partitions: 1");
        MemoryFactory factory = new MemoryFactory(new ArrayList<>(), new ConcurrentHashMap<>());
        factory.rejecting.set(id -> id % 9 == 0);
        AtomicInteger missing = new AtomicInteger();
        runner(config).withBean(OutputFactory.class, () -> factory).run(context -> {
            factory.flushed.set(rejected -> {
                long stored = context.getBean(Store.class)
                        .query("trades-rejected", new Query(null, List.of("position"), List.of(), 1_000_000))
                        .records()
                        .size();
                missing.addAndGet(stored >= rejected ? 0 : 1);
            });
            await().until(pipeline(context)::ended);
            int rejects = kept(TRADES / 2, trade -> !trade.buy() && trade.id() % 9 == 0)
                    .size();
            assertThat(missing).hasValue(0);
            assertThat(factory.rejected).hasValue(rejects);
            PipelineStatus status = PipelineStatus.of(pipeline(context));
            assertThat(status.rejected()).isEqualTo(rejects);
            assertThat(status.inFlight()).isZero();
        });
    }

    /** Each record is where the version that the history names for its position sends it. */
    @Test
    void shouldFollowRulesThatTakeTheOutputAwayAndBringItBack() throws Exception {
        int records = 60_000;
        String config = CONFIG.replace("file: FOLDER/trades.bin", "generator: { rate: 30000, count: 60000, seed: 7 }")
                .replace("partitions: 2", "partitions: 1");
        byte[] bytes = new byte[records * TradeFile.LENGTH];
        RecordGenerator.of(Schemas.builtIn().get("trade"), 7).fill(bytes, 0, records);
        List<Trade> generated = TradeFile.read(bytes);
        String without = "steps:\n- to: buys\n";
        String with = "steps:\n- to: [ buys, 'output:large' ]\n";
        runner(config).run(context -> {
            assertThat(context).hasNotFailed();
            Path position = folder.resolve("large/trades-0.bin.position");
            await().until(() -> Files.exists(position));
            for (int i = 0; i < 3; i++) {
                RulesRunner.change(context, without);
                try (FileChannel channel = FileChannel.open(position, StandardOpenOption.WRITE);
                        FileLock lock = channel.tryLock()) {
                    assertThat(lock).isNotNull(); // another process could have it
                }
                RulesRunner.change(context, with);
            }
            await().until(pipeline(context)::ended);
            assertThat(pipeline(context).error()).isNull();
            List<RuleUse> uses = RulesRunner.history(context).uses();
            List<Trade> expected = new ArrayList<>();
            for (int i = 0; i < records; i++) {
                Trade trade = generated.get(i);
                long version = RulesRunner.version(uses, (long) i * TradeFile.LENGTH);
                boolean sent = version == 1 ? trade.id() % 5 != 0 && trade.buy() : version % 2 == 1;
                if (sent) {
                    expected.add(trade);
                }
            }
            assertThat(uses).hasSizeGreaterThan(6);
            assertThat(binary("large")).isEqualTo(expected);
        });
    }

    @Test
    void shouldCountRecordsByOutputAndLetTapsSeeThem() throws Exception {
        run(CONFIG, context -> {
            assertThat(pipeline(context).writers()).containsOnlyKeys("buys", "output:large", "output:rest");
            assertThat(Objects.requireNonNull(pipeline(context).writers().get("output:rest"))
                            .kept()
                            .get())
                    .isEqualTo(kept(TRADES / 2, trade -> !trade.buy()).size());
            assertThat(TapPoints.of(pipeline(context).plan()))
                    .extracting(TapPoint::name, TapPoint::kind)
                    .contains(tuple("to-output:large", "output"));
        });
    }

    @Test
    void shouldWaitForAnOutputThatFails() throws Exception {
        Path blocked = Files.writeString(folder.resolve("blocked"), "a file");
        String config = CONFIG.replace("FOLDER/rest,", "FOLDER/blocked/rest,");
        runner(config).run(context -> {
            assertThat(context).hasNotFailed();
            await().until(() -> pipeline(context).storeRetries().get() > 1);
            assertThat(pipeline(context).ended()).isFalse();
            Files.delete(blocked);
            await().until(pipeline(context)::ended);
            assertThat(pipeline(context).error()).isNull();
            assertThat(idsOfCsv("blocked/rest"))
                    .hasSize(kept(TRADES / 2, trade -> !trade.buy()).size());
            assertThat(binary("large")).isEqualTo(kept(TRADES / 2, Trade::buy));
        });
    }

    @Test
    void shouldFailIfTheFileWasChanged() throws Exception {
        run(CONFIG, context -> requireWritten(context, TRADES / 2));
        Path file = files("rest").getFirst();
        Files.writeString(file, "ID\n");
        runner(CONFIG).run(context -> {
            await().until(() -> pipeline(context).state() == PipelineState.FAILED);
            assertThat(pipeline(context).error())
                    .contains(file.toString())
                    .contains("Something else has changed the file");
        });
        assertThat(file).hasContent("ID\n");
    }

    @Test
    void shouldKeepItsFilesWhenRulesChange() throws Exception {
        runner(CONFIG).run(context -> {
            assertThat(context).hasNotFailed();
            await().until(pipeline(context)::ended);
            assertThatThrownBy(() ->
                            RulesRunner.change(context, "steps:\n- set: { doubled: amount1 * 2 }\n- to: output:rest\n"))
                    .isInstanceOf(RulesException.class)
                    .hasMessageContaining("Output 'rest' contains records of another schema: field 'doubled'");
            assertThatThrownBy(() -> RulesRunner.change(context, "steps:\n- to: output:rests\n"))
                    .isInstanceOf(RulesException.class)
                    .hasMessageContaining("Unknown output 'rests'. Did you mean 'rest'?");
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            'output:rest' }            | 'output:rests' }   | steps[1].route[1].otherwise: Unknown output 'rests'. Did you mean 'rest'?
            folder: FOLDER/rest,       | ""                 | millrace.outputs.rest.file.folder: Missing value: the folder of the files.
            folder: FOLDER/rest        | folder: FOLDER/trades.bin | trades.bin' is a file. Name a folder.
            format: csv                | format: xml        | Invalid value 'xml'
            FOLDER/rest, format: csv   | FOLDER/large, format: binary | millrace.outputs.rest: The outputs 'large' and 'rest' are the same place
            file: { folder: FOLDER/rest | fil: { folder: FOLDER/rest | Unknown property 'fil'. Did you mean 'file'?
            """)
    void shouldRefuseMistakes(String text, String instead, String message) throws Exception {
        assertThat(CONFIG).contains(text);
        runner(CONFIG.replace(text, instead))
                .run(context ->
                        assertThat(context.getStartupFailure()).rootCause().hasMessageContaining(message));
    }

    /** An output of an application that does not store positions, so that it has some records twice after a crash. */
    record Memory(int failures, MemoryFactory factory, AtomicInteger attempts) implements OutputDefinition {

        @Override
        public String describe() {
            return "memory";
        }

        @Override
        public OutputWriter create(OutputContext context) {
            List<Long> pending = new ArrayList<>();
            return new OutputWriter() {
                @Override
                public long open(long epoch, long discardFrom) {
                    factory.epochs.put(context.pipeline() + "/" + context.partition(), epoch);
                    pending.clear();
                    return 0;
                }

                @Override
                public void append(RecordBatch batch) throws IOException {
                    if (attempts.incrementAndGet() <= failures) {
                        throw new IOException("not now");
                    }
                    for (int i = 0; i < batch.selected(); i++) {
                        int ordinal = batch.selection()[i];
                        long id = ByteBuffer.wrap(batch.bytes()).getLong(batch.offset(ordinal));
                        if (Objects.requireNonNull(factory.rejecting.get()).test(id)) {
                            factory.rejected.incrementAndGet();
                            context.rejects()
                                    .reject(batch, ordinal, new RejectReason(RejectReason.Kind.INVALID_VALUE, "no"));
                        } else {
                            pending.add(id);
                        }
                    }
                }

                @Override
                public void flush(long position) {
                    Objects.requireNonNull(factory.flushed.get()).accept(factory.rejected.get());
                    synchronized (factory.ids) {
                        factory.ids.addAll(pending);
                    }
                    pending.clear();
                }
            };
        }
    }

    /** Its property. */
    record MemoryProperties(@DefaultValue("0") int failures) {}

    /** The kind of it. */
    record MemoryFactory(
            List<Long> ids,
            Map<String, Long> epochs,
            AtomicReference<LongPredicate> rejecting,
            AtomicInteger rejected,
            AtomicReference<IntConsumer> flushed)
            implements OutputFactory<MemoryProperties> {

        /** A copy, because an output is flushed again and again. */
        @Override
        public List<Long> ids() {
            synchronized (ids) {
                return List.copyOf(ids);
            }
        }

        MemoryFactory(List<Long> ids, Map<String, Long> epochs) {
            this(ids, epochs, new AtomicReference<>(_ -> false), new AtomicInteger(), new AtomicReference<>(_ -> {}));
        }

        @Override
        public String name() {
            return "memory";
        }

        @Override
        public Class<MemoryProperties> propertiesType() {
            return MemoryProperties.class;
        }

        @Override
        public OutputDefinition define(MemoryProperties properties, PropertyCheck check) {
            check.between("failures", properties.failures(), 0, 10);
            return new Memory(properties.failures(), this, new AtomicInteger());
        }
    }

    @Test
    void shouldUseAKindOfTheApplication() throws Exception {
        String config = CONFIG.replace("file: { folder: FOLDER/rest, format: csv }", "memory: { failures: 3 }");
        MemoryFactory factory = new MemoryFactory(new ArrayList<>(), new ConcurrentHashMap<>());
        runner(config).withBean(OutputFactory.class, () -> factory).run(context -> {
            assertThat(context).hasNotFailed();
            await().until(pipeline(context)::ended);
            assertThat(factory.ids().stream().sorted())
                    .isEqualTo(kept(TRADES / 2, trade -> !trade.buy()).stream()
                            .map(Trade::id)
                            .toList());
            assertThat(factory.epochs).containsOnlyKeys("trades/0", "trades/1");
        });
        runner(config.replace("failures: 3", "failures: 11"))
                .withBean(OutputFactory.class, () -> factory)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining(
                                "millrace.outputs.rest.memory.failures: Invalid number '11'. Use 0 to 10."));
    }
}
