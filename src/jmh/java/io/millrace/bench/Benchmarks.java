package io.millrace.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs benchmarks with the allocation profiler; prints each one's best, median and ratio to a hand-written loop, and
 * writes {@code target/bench/<name>.json}. Arguments: a pattern, then options for the benchmarks' JVM, which
 * {@code -Dbench.jvm} gives. {@code -Dbench.iterations=60} measures so many times. With {@code -Dbench.oneJvm=true} all
 * arms run in this one JVM, one after the other, instead of in one each.
 */
public final class Benchmarks {

    private Benchmarks() {}

    static void main(String[] args) throws IOException, RunnerException {
        String pattern = args.length == 0 ? ".*" : args[0];
        String[] jvm = args.length == 0 ? args : Arrays.copyOfRange(args, 1, args.length);
        Path folder = Path.of("target", "bench");
        Files.createDirectories(folder);
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(pattern)
                .addProfiler(GCProfiler.class)
                .jvmArgsAppend(jvm)
                .resultFormat(ResultFormatType.JSON)
                .result(folder.resolve(name(pattern, jvm) + ".json").toString());
        Integer iterations = Integer.getInteger("bench.iterations");
        if (iterations != null) {
            options.measurementIterations(iterations);
        }
        if (Boolean.getBoolean("bench.oneJvm")) {
            options.forks(0);
        }
        Collection<RunResult> results = new Runner(options.build()).run();
        System.out.println();
        Ratios.of(results).forEach(System.out::println);
    }

    private static String name(String pattern, String[] jvm) {
        String name = plain(pattern);
        String options = Arrays.stream(jvm).map(option -> "-" + plain(option)).reduce("", String::concat);
        return (name.isEmpty() ? "all" : name) + options;
    }

    private static String plain(String text) {
        return text.replaceAll("[^A-Za-z0-9]+", "");
    }
}
