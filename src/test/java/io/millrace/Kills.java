package io.millrace;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.Random;
import java.util.regex.Pattern;

/** Kills the packaged service, as {@code kill -9} does it, at random moments of its way through a feed that ends. */
final class Kills {

    private static final Pattern RECORDS_CAME = Pattern.compile("\"in\":[1-9]");
    private static final String DONE = "\"state\":\"done\"";

    private Kills() {}

    /** What random moments are drawn from, printed so that {@code -Dmillrace.kill.seed} can repeat them. */
    static long seed() {
        long seed = Long.getLong("millrace.kill.seed", TestBudget.seed());
        System.out.println("millrace.kill.seed=" + seed);
        return seed;
    }

    /** Returns how many kills a test has: as many as {@code -Dmillrace.kills} says, else so many. */
    static int count(int byDefault) {
        return Integer.getInteger("millrace.kills", byDefault);
    }

    /**
     * Starts the service of {@code config.yml} in a folder and kills it, so many times, at least once on its way.
     *
     * @param longestMillis that it lives once it has begun to take records
     */
    static void onTheWay(Path folder, String pipeline, int kills, int longestMillis, long seed) throws Exception {
        Random random = new Random(seed);
        int midway = 0;
        for (int kill = 0; kill < kills; kill++) {
            // The first one comes early: a pipeline that is done before it would be done before all others.
            int longest = kill == 0 ? Math.max(1, longestMillis / 5) : longestMillis;
            midway += runAndKill(folder, pipeline, random.nextInt(longest)) ? 1 : 0;
        }
        System.out.println("kills that hit the pipeline on its way: " + midway + " of " + kills);
        assertThat(midway).isPositive();
    }

    /** Kills the service some time after it has begun to take records, and tells whether it was still on its way. */
    private static boolean runAndKill(Path folder, String pipeline, int afterMillis) throws Exception {
        try (MillraceProcess millrace = MillraceProcess.start(folder, "run", "config.yml", "--server.port=0")) {
            await().pollInterval(5, MILLISECONDS)
                    .until(() -> RECORDS_CAME.matcher(page(millrace, pipeline)).find()
                            || page(millrace, pipeline).contains(DONE));
            Thread.sleep(afterMillis); // any moment will do: what is asserted holds for all of them
            boolean done = page(millrace, pipeline).contains(DONE);
            assertThat(millrace.alive()).as(millrace.output()).isTrue();
            millrace.kill();
            return !done;
        }
    }

    private static String page(MillraceProcess millrace, String pipeline) throws Exception {
        String page = millrace.get("/api/pipelines/" + pipeline);
        return page == null ? "" : page;
    }
}
