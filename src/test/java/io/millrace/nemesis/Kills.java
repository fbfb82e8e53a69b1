package io.millrace.nemesis;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.MillraceProcess;
import io.millrace.TestBudget;
import java.nio.file.Path;
import java.util.Random;
import java.util.regex.Pattern;

/** Kills the packaged service, as {@code kill -9} does it, at random moments. */
public final class Kills {

    private static final Pattern RECORDS_CAME = Pattern.compile("\"in\":[1-9]");
    private static final String FAILED = "\"state\":\"failed\"";
    private static final String DONE = "\"state\":\"done\"";

    private Kills() {}

    /** Returns what random moments are drawn from, printed so that {@code -Dmillrace.kill.seed} can repeat them. */
    public static long seed() {
        long seed = Long.getLong("millrace.kill.seed", TestBudget.seed());
        System.out.println("millrace.kill.seed=" + seed);
        return seed;
    }

    /** Returns how many kills a test has: as many as {@code -Dmillrace.kills} says, else so many. */
    public static int count(int byDefault) {
        return Integer.getInteger("millrace.kills", byDefault);
    }

    /**
     * Starts the service of {@code config.yml} in a folder and kills it, so many times, at least once on its way.
     *
     * @param longestMillis that it lives once it has begun to take records
     */
    public static void onTheWay(Path folder, String pipeline, int kills, int longestMillis, long seed)
            throws Exception {
        Random random = new Random(seed);
        int midway = 0;
        for (int kill = 0; kill < kills; kill++) {
            // The first one comes early: a pipeline that is done before it would be done before all others.
            int longest = kill == 0 ? Math.max(1, longestMillis / 20) : longestMillis;
            try (MillraceProcess millrace = start(folder)) {
                awaitRecords(millrace, pipeline);
                midway += atAnyMoment(millrace, pipeline, random.nextInt(longest)) ? 1 : 0;
            }
        }
        requireMidway(midway, kills);
    }

    /**
     * Starts the service of {@code config.yml} in a folder and kills it while it starts, so many times.
     *
     * @param longestMillis that it lives
     */
    public static void whileItStarts(Path folder, int kills, int longestMillis, Random random) throws Exception {
        for (int kill = 0; kill < kills; kill++) {
            try (MillraceProcess millrace = start(folder)) {
                Thread.sleep(random.nextInt(longestMillis)); // any moment will do
                millrace.kill();
            }
        }
    }

    /** Waits until a pipeline has taken records, or is done. Fails if it has failed. */
    public static void awaitRecords(MillraceProcess millrace, String pipeline) {
        await().pollInterval(5, MILLISECONDS).until(() -> {
            String page = page(millrace, pipeline);
            assertThat(page).doesNotContain(FAILED);
            return RECORDS_CAME.matcher(page).find() || page.contains(DONE);
        });
    }

    /** Kills the service after some time, and returns whether the pipeline was still on its way. */
    public static boolean atAnyMoment(MillraceProcess millrace, String pipeline, int afterMillis) throws Exception {
        Thread.sleep(afterMillis); // any moment will do: what is asserted holds for all of them
        boolean done = page(millrace, pipeline).contains(DONE);
        assertThat(millrace.alive()).as(millrace.output()).isTrue();
        millrace.kill();
        return !done;
    }

    /** Prints how many kills hit the pipeline on its way, and requires at least one. */
    public static void requireMidway(int midway, int kills) {
        System.out.println("kills that hit the pipeline on its way: " + midway + " of " + kills);
        assertThat(midway).isPositive();
    }

    private static MillraceProcess start(Path folder) throws Exception {
        return MillraceProcess.start(folder, "run", "config.yml", "--server.port=0");
    }

    private static String page(MillraceProcess millrace, String pipeline) {
        return millrace.page("/api/pipelines/" + pipeline);
    }
}
