package io.millrace.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs benchmarks with the allocation profiler; prints the table and writes {@code target/bench/<name>.json}. */
public final class Benchmarks {

    private Benchmarks() {}

    static void main(String[] args) throws IOException, RunnerException {
        String pattern = args.length == 0 ? ".*" : args[0];
        Path folder = Path.of("target", "bench");
        Files.createDirectories(folder);
        String name = pattern.replaceAll("[^A-Za-z0-9]+", "");
        Options options = new OptionsBuilder()
                .include(pattern)
                .addProfiler(GCProfiler.class)
                .resultFormat(ResultFormatType.JSON)
                .result(folder.resolve((name.isEmpty() ? "all" : name) + ".json")
                        .toString())
                .build();
        new Runner(options).run();
    }
}
