package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a process needs of its machine, sampled now and then: flat where nothing leaks. */
final class ResourceUse {

    private static final Pattern VALUE = Pattern.compile("\"value\":([0-9.E]+)");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final Pattern THREADS = Pattern.compile("Threads:\\s+(\\d+)");
    private static final long MB = 1024 * 1024;

    private final String name;
    private final Path data;
    private final List<Sample> samples = new ArrayList<>();

    /**
     * At one moment.
     *
     * @param heap bytes that live after a collection of all garbage
     * @param direct bytes of direct buffers
     * @param threads of the operating system
     * @param files open ones, connections too
     * @param resident bytes of its memory that are in the machine's: for people, since a heap may grow up to its limit
     * @param disk bytes of its data folder
     */
    private record Sample(long heap, long direct, long threads, long files, long resident, long disk) {}

    /**
     * @param name of the process, for people
     * @param data its data folder, if it has one
     */
    ResourceUse(String name, Path data) {
        this.name = name;
        this.data = data;
    }

    /** Collects the garbage of the process, and adds what it needs now. */
    void sample(MillraceProcess millrace) throws Exception {
        Path collector = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        int exit = new ProcessBuilder(collector.toString(), String.valueOf(millrace.pid()), "GC.run")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        assertThat(exit).as("exit code of jcmd").isZero();
        Path folder = Path.of("/proc", String.valueOf(millrace.pid()));
        String status = Files.readString(folder.resolve("status"));
        samples.add(new Sample(
                meter(millrace, "jvm.memory.used?tag=area:heap"),
                meter(millrace, "jvm.buffer.memory.used?tag=id:direct"),
                number(THREADS, status),
                count(folder.resolve("fd")),
                number(RESIDENT, status) * 1024,
                bytes(data)));
    }

    private static long meter(MillraceProcess millrace, String name) throws IOException, InterruptedException {
        return number(VALUE, String.valueOf(millrace.get("/actuator/metrics/" + name)));
    }

    private static long number(Pattern pattern, String text) {
        Matcher number = pattern.matcher(text);
        assertThat(number.find()).as(pattern + " in " + text).isTrue();
        return (long) Double.parseDouble(number.group(1));
    }

    private static long count(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.count();
        }
    }

    private static long bytes(Path folder) throws IOException {
        if (Files.notExists(folder)) {
            return 0;
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }

    /** Asserts that the last quarter of the samples needs hardly more than the first one. */
    void requireFlat() {
        requireFlat("heap after GC", Sample::heap, 48 * MB);
        requireFlat("direct memory", Sample::direct, 16 * MB);
        requireFlat("threads", Sample::threads, 32);
        requireFlat("open files", Sample::files, 48);
        requireFlat("disk", Sample::disk, 2048 * MB);
    }

    /** @param margin more than that and a quarter is growth */
    private void requireFlat(String what, ToLongFunction<Sample> value, long margin) {
        int quarter = Math.max(1, samples.size() / 4);
        long before = median(samples.subList(0, quarter), value);
        long now = median(samples.subList(samples.size() - quarter, samples.size()), value);
        assertThat(now)
                .as(what + " of " + name + ", at first " + before + ": " + samples)
                .isLessThanOrEqualTo(before + before / 4 + margin);
    }

    private static long median(List<Sample> samples, ToLongFunction<Sample> value) {
        long[] sorted = samples.stream().mapToLong(value).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    /** The last sample. */
    @Override
    public String toString() {
        Sample last = samples.getLast();
        return String.format(
                Locale.ROOT,
                "%s: heap after GC %d MB, direct %d kB, threads %d, files %d, resident %d MB, disk %d MB",
                name,
                last.heap() / MB,
                last.direct() / 1024,
                last.threads(),
                last.files(),
                last.resident() / MB,
                last.disk() / MB);
    }
}
