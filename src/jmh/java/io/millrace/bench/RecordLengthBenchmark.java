package io.millrace.bench;

import io.millrace.expression.function.FunctionRegistry;
import io.millrace.store.geode.EmbeddedStore;
import io.millrace.store.geode.cache.GeodeOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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
import org.springframework.util.FileSystemUtils;

/**
 * A filter over a file of 128 MiB in records of several lengths, which keeps all of them in blocks. Times are for 39
 * bytes, as many as a trade has. Run it by {@code ./mvnw -Pbench verify -Dbench=RecordLengthBenchmark}.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 6)
@Measurement(iterations = 9)
@Fork(
        value = 1,
        jvmArgsPrepend = {"-Xms4g", "-Xmx4g", "-XX:+AlwaysPreTouch"})
public class RecordLengthBenchmark {

    private static final int BYTES = 128 << 20;
    private static final int PARTS = BYTES / W1Data.LENGTH;

    /** A pipeline for each invocation, with an empty folder. */
    @State(Scope.Benchmark)
    public static class Millrace {

        @Param({"39", "256", "1024", "16384", "131072", "1048576"})
        int length;

        private @Nullable Path folder;
        private ConfiguredPipeline.@Nullable Planned planned;
        private @Nullable ConfiguredPipeline pipeline;

        @Setup
        public void write() throws IOException {
            Path created = Files.createTempDirectory("lengths");
            folder = created;
            Path file = Files.write(created.resolve("records.bin"), new byte[BYTES / length * length]);
            Path schemas = Files.createDirectory(created.resolve("schemas"));
            Files.writeString(schemas.resolve("long.yml"), """
                    schema: long
                    layout: fixed
                    length: %d
                    fields:
                      - { name: first, type: i32, at: 0 }
                      - { name: last, type: i32, at: %d }
                    """.formatted(length, length - Integer.BYTES));
            planned = ConfiguredPipeline.Planned.of(
                    Files.writeString(created.resolve("lengths.yml"), """
                    millrace:
                      schemas: %s
                      regions:
                        all: { layout: blocks }
                      pipelines:
                        lengths:
                          schema: long
                          feed: { file: %s }
                          steps:
                            - filter: first == last
                            - to: all
                    """.formatted(schemas, file)));
        }

        @Setup(Level.Invocation)
        public void open() {
            pipeline = new ConfiguredPipeline(
                    Objects.requireNonNull(planned),
                    new EmbeddedStore(GeodeOptions.inMemory(), FunctionRegistry.empty()));
            System.gc();
        }

        void run() {
            Objects.requireNonNull(pipeline).run();
        }

        @TearDown(Level.Invocation)
        public void close() {
            ConfiguredPipeline ended = Objects.requireNonNull(pipeline);
            long kept = ended.status().kept();
            ended.close();
            if (kept != BYTES / length) {
                throw new IllegalStateException("kept=" + kept);
            }
        }

        @TearDown
        public void delete() throws IOException {
            FileSystemUtils.deleteRecursively(Objects.requireNonNull(folder));
        }
    }

    @Benchmark
    @OperationsPerInvocation(PARTS)
    public void millrace(Millrace millrace) {
        millrace.run();
    }
}
