package io.millrace.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.RunResult;

/**
 * Best and median time of benchmarks, and the ratio of their medians to the baseline's: the method {@link #BASELINE} of
 * the same class with the same parameters, or the same method with a parameter of the value {@link #CLASSIC}, if there
 * is one.
 */
final class Ratios {

    /** Name of the method that the others of its class are compared with. */
    static final String BASELINE = "handWritten";

    /** Value of the parameter of the arm that the other arms of a method are compared with. */
    static final String CLASSIC = "classic";

    private static final double SECOND_NS = 1e9;

    private Ratios() {}

    /** A table, one line a benchmark; the units are those of nanosecond benchmarks. */
    static List<String> of(Collection<RunResult> results) {
        Map<String, Double> baselines = new HashMap<>();
        for (RunResult result : results) {
            BenchmarkParams params = result.getParams();
            if (method(params).equals(BASELINE)) {
                baselines.put(group(params), median(times(result)));
            }
            for (String key : params.getParamsKeys()) {
                if (params.getParam(key).equals(CLASSIC)) {
                    baselines.put(params.getBenchmark() + parameters(params, key), median(times(result)));
                }
            }
        }
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%-50s %12s %12s %14s %10s",
                "benchmark",
                "best ns",
                "median ns",
                "best a second",
                "x baseline"));
        for (RunResult result : results) {
            double[] times = times(result);
            Double baseline = baseline(result.getParams(), baselines);
            lines.add(String.format(
                    Locale.ROOT,
                    "%-50s %12.2f %12.2f %,14.0f %10s",
                    method(result.getParams()) + parameters(result.getParams()),
                    times[0],
                    median(times),
                    SECOND_NS / times[0],
                    baseline == null ? "" : String.format(Locale.ROOT, "%.2f", median(times) / baseline)));
        }
        return lines;
    }

    private static @Nullable Double baseline(BenchmarkParams params, Map<String, Double> baselines) {
        Double baseline = baselines.get(group(params));
        for (String key : params.getParamsKeys()) {
            baseline = baseline == null ? baselines.get(params.getBenchmark() + parameters(params, key)) : baseline;
        }
        return baseline;
    }

    /** The times of all iterations, ascending. */
    private static double[] times(RunResult result) {
        return result.getBenchmarkResults().stream()
                .flatMap(fork -> fork.getIterationResults().stream())
                .mapToDouble(iteration -> iteration.getPrimaryResult().getScore())
                .sorted()
                .toArray();
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private static String method(BenchmarkParams params) {
        String name = params.getBenchmark();
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private static String group(BenchmarkParams params) {
        String name = params.getBenchmark();
        return name.substring(0, name.lastIndexOf('.')) + parameters(params);
    }

    private static String parameters(BenchmarkParams params) {
        return parameters(params, "");
    }

    private static String parameters(BenchmarkParams params, String omitted) {
        return params.getParamsKeys().stream()
                .filter(key -> !key.equals(omitted))
                .map(key -> " " + key + "=" + params.getParam(key))
                .collect(Collectors.joining());
    }
}
