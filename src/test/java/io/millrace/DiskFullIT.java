package io.millrace;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged jar on a disk that is full for a while: a file system in memory that only the process and its user see.
 * Needs Linux, and that users may have such (user namespaces): the administrator always may, on some systems nobody
 * else.
 */
class DiskFullIT {

    private static final int RECORDS = 400_000;
    private static final byte[] MEGABYTE = new byte[1 << 20];

    @TempDir
    Path folder;

    @BeforeEach
    void configure() throws Exception {
        assumeThat(Jar.canHaveSmallDisk())
                .as("a file system of its own for a process (unshare --user --mount)")
                .isTrue();
        Files.createDirectory(folder.resolve("data"));
        Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  questions: { max-records: 1000000 }
                  regions:
                    disk: { layout: blocks, persistent: true, block-records: 64 }
                    memory: { layout: blocks }
                    ended: { layout: blocks }
                  pipelines:
                    to-disk:
                      feed: { generator: { count: 400000, rate: 20000 } }
                      schema: trade
                      steps:
                        - to: disk
                    to-memory:
                      feed: { generator: { count: 400000, rate: 20000 } }
                      schema: trade
                      steps:
                        - to: memory
                    to-ended:
                      feed: { generator: { count: 1000 } }
                      schema: trade
                      steps:
                        - to: ended
                """);
    }

    @Test
    void shouldWaitForSpaceAndAnswerMeanwhile() throws Exception {
        try (Jar jar = start("64MB")) {
            fill(jar);
            await().atMost(60, SECONDS)
                    .until(() -> readiness(jar).contains("is full: 0 MB are free, millrace.data-reserve is 64 MB"));
            await().atMost(60, SECONDS).until(() -> is(jar, "to-disk", "waiting"));
            assertThat(records(jar, "disk")).isPositive();
            await().atMost(60, SECONDS).until(() -> is(jar, "to-memory", "done"));

            free(jar);
            requireAll(jar);
            assertThat(jar.output())
                    .contains("to-disk: the store does not take records")
                    .doesNotContain("The data folder is open again");
        }
    }

    @Test
    void shouldOpenTheFolderAgainWhereGeodeHasClosedIt() throws Exception {
        try (Jar jar = start("0")) {
            fill(jar);
            await().atMost(60, SECONDS)
                    .until(() -> readiness(jar).contains("has failed: No space left on device. The store is closed"));

            free(jar);
            requireAll(jar);
            assertThat(jar.output())
                    .contains("The data folder is open again")
                    .contains("to-disk: goes back to what is stored");
        }
    }

    private Jar start(String reserve) throws IOException {
        Jar jar = Jar.startOnSmallDisk(
                folder, "data", "600m", "config.yml", "--server.port=0", "--millrace.data-reserve=" + reserve);
        try {
            await().atMost(120, SECONDS).until(() -> records(jar, "disk") > 10_000 && is(jar, "to-ended", "done"));
            return jar;
        } catch (Throwable e) {
            jar.close();
            throw e;
        }
    }

    private static String readiness(Jar jar) throws IOException, InterruptedException {
        return String.valueOf(jar.get("/actuator/health/readiness"));
    }

    private static long records(Jar jar, String region) throws IOException, InterruptedException {
        String page = String.valueOf(jar.get("/api/regions/" + region));
        return page.contains("\"records\":") ? Long.parseLong(page.replaceAll(".*\"records\":(\\d+).*", "$1")) : 0;
    }

    private static boolean is(Jar jar, String pipeline, String state) throws IOException, InterruptedException {
        return String.valueOf(jar.get("/api/pipelines/" + pipeline)).contains("\"state\":\"" + state + "\"");
    }

    private Path ballast(Jar jar) {
        return jar.seen(folder.resolve("data/ballast"));
    }

    private void fill(Jar jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(ballast(jar))) {
            while (true) {
                file.write(MEGABYTE);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left on device");
        }
    }

    private void free(Jar jar) throws IOException {
        Files.delete(ballast(jar));
    }

    /** All regions have each record of their feed once, without a restart. */
    private static void requireAll(Jar jar) throws IOException, InterruptedException {
        await().atMost(180, SECONDS).until(() -> is(jar, "to-disk", "done") && is(jar, "to-memory", "done"));
        await().atMost(60, SECONDS).until(() -> records(jar, "ended") == 1000);
        assertThat(readiness(jar)).contains("\"UP\"");
        requireIds(jar, "disk", RECORDS);
        requireIds(jar, "memory", RECORDS);
        requireIds(jar, "ended", 1000);
    }

    private static void requireIds(Jar jar, String region, int count) throws IOException, InterruptedException {
        String ids = jar.get("/api/regions/" + region + "/records?select=id&format=csv&limit=1000000");
        assertThat(String.valueOf(ids).lines().skip(1).map(Integer::valueOf).sorted())
                .isEqualTo(IntStream.rangeClosed(1, count).boxed().toList());
    }
}
