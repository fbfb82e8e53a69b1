package io.millrace.pipeline;

import static io.millrace.pipeline.rules.RulesRunner.all;
import static io.millrace.pipeline.rules.RulesRunner.done;
import static io.millrace.pipeline.rules.RulesRunner.id;
import static io.millrace.pipeline.rules.RulesRunner.pipeline;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.millrace.FreePort;
import io.millrace.feed.tcp.TcpFeed;
import io.millrace.pipeline.TradeFile.Trade;
import io.millrace.pipeline.rules.OtherProcess;
import io.millrace.pipeline.rules.RuleResult;
import io.millrace.pipeline.rules.RulesRunner;
import io.millrace.pipeline.rules.RulesRunner.Gate;
import io.millrace.pipeline.run.RestartRefusedException;
import io.millrace.pipeline.run.RestartRefusedException.Reason;
import io.millrace.store.Store;
import io.millrace.store.error.StoreException;
import io.millrace.store.write.Commits;
import io.millrace.store.write.WriterName;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.ChannelInterceptor;
import org.springframework.messaging.support.InterceptableChannel;

class PipelineRestartTest {

    private static final int RECORDS = 5_000;
    private static final String STEPS = """
            steps:
              - route:
                  - { when: id % 2 == 0, to: sells }
                  - { otherwise: buys }
            """;

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = TradeFile.write(folder.resolve("trades.bin"), TradeFile.random(RECORDS, 3));
    }

    private ApplicationContextRunner runner() {
        return new RulesRunner(folder).file(file, STEPS);
    }

    private static void assertStoredOnce(ApplicationContext context, long records) {
        assertThat(all(context, "buys"))
                .extracting(RulesRunner::id)
                .containsExactlyElementsOf(
                        ids(records).filter(id -> id % 2 == 1).boxed().toList());
        assertThat(all(context, "sells"))
                .extracting(RulesRunner::id)
                .containsExactlyElementsOf(
                        ids(records).filter(id -> id % 2 == 0).boxed().toList());
        assertThat(PipelineStatus.of(pipeline(context)).inFlight()).isZero();
        assertThat(Conservation.holds(pipeline(context))).isTrue();
    }

    private static LongStream ids(long records) {
        return LongStream.rangeClosed(1, records);
    }

    private static RestartRefusedException refusal(CompletableFuture<Long> restart) {
        AtomicReference<RestartRefusedException> refusal = new AtomicReference<>();
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(restart::join)
                .satisfies(e -> refusal.set((RestartRefusedException) e.getCause()));
        return Objects.requireNonNull(refusal.get());
    }

    @Test
    void shouldStoreEachRecordOnceThoughItIsRestartedWhileItRuns() {
        new RulesRunner(folder).gated(file, STEPS).run(context -> {
            Gate gate = Gate.of(context);
            for (int i = 1; i <= 10; i++) {
                CompletableFuture<Long> restart = pipeline(context).restart();
                gate.pass(3);
                // A batch may wait at the gate.
                await().until(() -> {
                    gate.pass(1);
                    return restart.isDone();
                });
                assertThat(restart.join() % TradeFile.LENGTH).isZero();
                assertThat(pipeline(context).error()).isNull();
            }
            gate.open();
            done(context);
            assertStoredOnce(context, RECORDS);
            assertThat(PipelineStatus.of(pipeline(context)).superseded()).isZero();
        });
    }

    @Test
    void shouldContinueAfterTheFailureOfAnEndpoint() {
        AtomicInteger failures = new AtomicInteger(2);
        runner().withBean(Failing.class, () -> new Failing(failures)).run(context -> {
            for (int i = 0; i < 2; i++) {
                await().until(() -> pipeline(context).terminated());
                assertThat(pipeline(context).state()).isEqualTo(PipelineState.FAILED);
                failures.decrementAndGet();
                CompletableFuture<Long> restart = pipeline(context).restart();
                if (i == 0) {
                    assertThat(restart.join()).isPositive();
                }
            }
            done(context);
            assertThat(pipeline(context).error()).isNull();
            assertStoredOnce(context, RECORDS);
            PipelineStatus status = PipelineStatus.of(pipeline(context));
            assertThat(status.superseded()).isPositive();
            assertThat(status.in()).isEqualTo(RECORDS + status.superseded());
        });
    }

    @Test
    void shouldReadOnWhereAFileThatHadEndedHasGrown() {
        runner().run(context -> {
            done(context);
            ByteArrayOutputStream more = new ByteArrayOutputStream();
            TradeFile.random(2 * RECORDS, 3).stream().skip(RECORDS).forEach(trade -> more.writeBytes(trade.bytes()));
            Files.write(file, more.toByteArray(), StandardOpenOption.APPEND);
            assertThat(pipeline(context).restart().join()).isEqualTo((long) RECORDS * TradeFile.LENGTH);
            await().until(() -> PipelineStatus.of(pipeline(context)).in() == 2 * RECORDS);
            done(context);
            assertStoredOnce(context, 2 * RECORDS);
        });
    }

    /** Nothing that it writes would be refused: what the other process has removed would be missing for ever. */
    @Test
    void shouldTakeOverAgainThoughItHadNothingToWriteWhenItLostItsTerm() {
        runner().run(context -> {
            done(context);
            ByteArrayOutputStream more = new ByteArrayOutputStream();
            TradeFile.random(2 * RECORDS, 3).stream().skip(RECORDS).forEach(trade -> more.writeBytes(trade.bytes()));
            Files.write(file, more.toByteArray(), StandardOpenOption.APPEND);
            assertThat(context.getBean(Store.class)
                            .claim(WriterName.of("trades", 0), /* persistent= */ true)
                            .term())
                    .isNotNull();
            await().until(() -> PipelineStatus.of(pipeline(context)).in() == 2 * RECORDS);
            done(context);
            assertStoredOnce(context, 2 * RECORDS);
        });
    }

    @Test
    void shouldRestartOnceForRequestsAtTheSameTime() {
        new RulesRunner(folder).gated(file, STEPS).run(context -> {
            Gate.of(context).pass(2);
            await().until(() -> pipeline(context).position() > 0);
            AtomicInteger terms = new AtomicInteger();
            var _ = pipeline(context).rules().listen(terms::incrementAndGet);
            List<CompletableFuture<Long>> restarts =
                    List.of(pipeline(context).restart(), pipeline(context).restart());
            Gate.of(context).open();
            assertThat(restarts.get(0).join()).isEqualTo(restarts.get(1).join());
            assertThat(terms).hasValue(1);
            done(context);
            assertStoredOnce(context, RECORDS);
        });
    }

    @Test
    void shouldRefuseWhileAnotherProcessRunsThePipeline() {
        runner().withBean(OtherProcess.class, OtherProcess::owning).run(context -> {
            await().until(() -> pipeline(context).state() == PipelineState.STANDBY);
            RestartRefusedException refusal = refusal(pipeline(context).restart());
            assertThat(refusal.reason()).isEqualTo(Reason.STANDBY);
            assertThat(refusal).hasMessage("Pipeline 'trades' runs in " + OtherProcess.NAME + ". Restart it there.");
            OtherProcess.of(context).stop();
            done(context);
            assertStoredOnce(context, RECORDS);
        });
    }

    /** The restart begins with the flush that finds out that another process has taken over. */
    @Test
    void shouldRefuseIfAnotherProcessTakesOverMeanwhile() {
        new RulesRunner(folder)
                .gated(file, STEPS)
                .withBean(OtherProcess.class, OtherProcess::waiting)
                .run(context -> {
                    Gate.of(context).pass(2);
                    await().until(() -> pipeline(context).position() > 0);
                    OtherProcess.of(context).takeOver();
                    CompletableFuture<Long> restart = pipeline(context).restart();
                    Gate.of(context).open();
                    assertThat(refusal(restart).reason()).isEqualTo(Reason.STANDBY);
                    OtherProcess.of(context).stop();
                    done(context);
                    assertStoredOnce(context, RECORDS);
                });
    }

    @Test
    void shouldWaitWhileTheStoreFailsAndLoseNothing() {
        new RulesRunner(folder)
                .gated(file, STEPS)
                .withBean(Unavailable.class, Unavailable::new)
                .run(context -> {
                    Unavailable store = context.getBean(Unavailable.class);
                    Gate.of(context).pass(2);
                    await().until(() -> pipeline(context).position() > 0);
                    store.fails = true;
                    CompletableFuture<Long> restart = pipeline(context).restart();
                    Gate.of(context).open();
                    await().until(() -> pipeline(context).storeRetries().get() > 0);
                    assertThat(restart).isNotDone();
                    assertThat(pipeline(context).state()).isEqualTo(PipelineState.WAITING);
                    store.fails = false;
                    assertThat(restart.join()).isPositive();
                    done(context);
                    assertStoredOnce(context, RECORDS);
                    assertThat(PipelineStatus.of(pipeline(context)).superseded())
                            .isZero();
                });
    }

    @Test
    void shouldRefuseIfItFailsAgain() throws IOException {
        byte[] records = Files.readAllBytes(file);
        new RulesRunner(folder).gated(file, STEPS).run(context -> {
            Gate gate = Gate.of(context);
            await().until(() -> {
                gate.pass(1);
                return !all(context, "buys").isEmpty();
            });
            // Without a commit, it would begin again with the other file.
            Commits commits = context.getBean(Store.class).commits(true);
            await().until(() -> {
                gate.pass(1);
                return commits.all().values().stream().anyMatch(commit -> commit.position() > 0);
            });
            TradeFile.write(file, TradeFile.random(RECORDS, 4));
            CompletableFuture<Long> restart = pipeline(context).restart();
            gate.open();
            assertThat(refusal(restart).reason()).isEqualTo(Reason.FAILED);
            assertThat(pipeline(context).state()).isEqualTo(PipelineState.FAILED);
            RestartRefusedException refusal = refusal(pipeline(context).restart());
            assertThat(refusal)
                    .hasMessage("Pipeline 'trades' has failed again: "
                            + pipeline(context).error());

            Files.write(file, records);
            assertThat(pipeline(context).restart().join()).isPositive();
            done(context);
            assertStoredOnce(context, RECORDS);
        });
    }

    @Test
    void shouldRefuseOnceTheServiceStops() {
        AtomicReference<Pipeline> stopped = new AtomicReference<>();
        AtomicReference<CompletableFuture<Long>> pending = new AtomicReference<>();
        runner().withBean(Unavailable.class, Unavailable::new).run(context -> {
            done(context);
            stopped.set(pipeline(context));
            context.getBean(Unavailable.class).fails = true;
            pending.set(pipeline(context).restart());
            await().until(() -> pipeline(context).storeRetries().get() > 0);
        });
        assertThat(refusal(Objects.requireNonNull(pending.get())).reason()).isEqualTo(Reason.STOPPED);
        Pipeline pipeline = Objects.requireNonNull(stopped.get());
        assertThat(refusal(pipeline.restart())).hasMessage("Pipeline 'trades' was stopped.");
        assertThat(pipeline.terminated()).isTrue();
    }

    @Test
    void shouldLetSendersWaitMeanwhile() {
        new RulesRunner(folder).file(null, STEPS).run(context -> {
            CountDownLatch restarts = new CountDownLatch(2);
            CompletableFuture<Void> sender = CompletableFuture.runAsync(() -> {
                List<Trade> trades = TradeFile.random(RECORDS, 3);
                trades.subList(0, RECORDS / 2)
                        .forEach(trade -> pipeline(context).send(trade.bytes()));
                await().until(() -> restarts.getCount() == 0);
                trades.subList(RECORDS / 2, RECORDS)
                        .forEach(trade -> pipeline(context).send(trade.bytes()));
            });
            while (!sender.isDone()) {
                pipeline(context).restart().join();
                restarts.countDown();
            }
            sender.join();
            pipeline(context).flush();
            assertStoredOnce(context, RECORDS);
        });
    }

    @Test
    void shouldOpenAFeedAgainThatCanNotBeOpened() throws IOException {
        ServerSocket other = new ServerSocket(FreePort.next(), 1, InetAddress.getLoopbackAddress());
        new RulesRunner(folder)
                .configured(
                        RulesRunner.REGIONS,
                        "feed: { tcp: { port: " + other.getLocalPort() + ", host: 127.0.0.1 } }",
                        STEPS)
                .run(context -> {
                    CompletableFuture<Long> restart;
                    try (other) {
                        await().until(() -> pipeline(context).error() != null);
                        restart = pipeline(context).restart();
                        await().until(() -> pipeline(context).error() != null);
                        assertThat(restart).isNotDone();
                    }
                    restart = pipeline(context).restart();
                    assertThat(restart.join()).isZero();
                    assertThat(((TcpFeed) pipeline(context).feed()).port()).isEqualTo(other.getLocalPort());
                    await().until(() -> pipeline(context).error() == null);
                });
    }

    /** A clean stop lets the newest version of the rules begin. */
    @Test
    void shouldChangeTheRulesAfterAFailure() {
        AtomicInteger failures = new AtomicInteger(1);
        runner().withBean(Failing.class, () -> new Failing(failures)).run(context -> {
            await().until(() -> pipeline(context).terminated());
            RuleResult result = RulesRunner.change(context, "steps:\n- to: buys\n");
            assertThat(result.state()).isEqualTo(RuleResult.State.PENDING);
            failures.set(0);
            pipeline(context).restart().join();
            await().until(() -> pipeline(context).rules().version() == 2);
            done(context);
            assertThat(all(context, "buys").size() + all(context, "sells").size())
                    .isEqualTo(RECORDS);
            assertThat(PipelineStatus.of(pipeline(context)).inFlight()).isZero();
        });
    }

    @Test
    void shouldEvaluateTheShareOfRejectsAgain() throws IOException {
        byte[] records = Files.readAllBytes(file);
        for (int i = 0; i < RECORDS / 2; i++) {
            Arrays.fill(records, i * TradeFile.LENGTH, (i + 1) * TradeFile.LENGTH, (byte) 0x7f);
        }
        Files.write(file, records);
        new RulesRunner(folder)
                .file(file, STEPS, "reject-thresholds: { fail-at: 90% }")
                .run(context -> {
                    while (pipeline(context).state() != PipelineState.DONE) {
                        await().until(() -> pipeline(context).terminated()
                                || pipeline(context).state() == PipelineState.DONE);
                        if (pipeline(context).state() == PipelineState.FAILED) {
                            assertThat(pipeline(context).error()).contains("Too many rejected records");
                            pipeline(context).restart().join();
                        }
                    }
                    PipelineStatus status = PipelineStatus.of(pipeline(context));
                    assertThat(status.in()).isEqualTo(RECORDS);
                    assertThat(status.rejected()).isEqualTo(RECORDS / 2);
                    assertThat(status.kept()).isEqualTo(RECORDS / 2);
                    assertThat(all(context, "buys").stream().map(RulesRunner::id))
                            .allMatch(id -> id > RECORDS / 2);
                    assertThat(id(all(context, "sells").getLast())).isEqualTo(RECORDS);
                });
    }

    /** Fails while the number of failures is positive, from the tenth batch on. */
    private static final class Failing implements ChannelInterceptor, BeanPostProcessor {

        private final AtomicInteger failures;
        private final AtomicInteger batches = new AtomicInteger();

        Failing(AtomicInteger failures) {
            this.failures = failures;
        }

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (name.equals("trades.admitted") && bean instanceof InterceptableChannel channel) {
                channel.addInterceptor(this);
            }
            return bean;
        }

        @Override
        public Message<?> preSend(Message<?> message, MessageChannel channel) {
            if (batches.incrementAndGet() >= 10 * (3 - failures.get()) && failures.get() > 0) {
                throw new IllegalStateException("an endpoint failed");
            }
            return message;
        }
    }

    /** A store that does not answer at times. */
    private static final class Unavailable implements BeanPostProcessor {

        private volatile boolean fails;

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (!(bean instanceof Store store)) {
                return bean;
            }
            return Proxy.newProxyInstance(
                    Store.class.getClassLoader(), new Class<?>[] {Store.class}, (_, method, arguments) -> {
                        if (fails && method.getName().equals("requireTerm")) {
                            throw new StoreException("The store does not answer.");
                        }
                        try {
                            return method.invoke(store, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }
}
