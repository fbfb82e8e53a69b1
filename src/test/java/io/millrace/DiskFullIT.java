package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.millrace.nemesis.FileNemesis;
import io.millrace.nemesis.Nemesis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The service on a disk that is full for a while: a file system in memory that only the process and its user see. Needs
 * Linux, and that users may have such (user namespaces): the administrator always may, on some systems nobody else.
 */
class DiskFullIT {

    private static final int RECORDS = 200_000;
    private static final String UNLIMITED = "{\"rate\":0}";

    @TempDir
    Path folder;

    @BeforeEach
    void configure() throws Exception {
        assumeThat(MillraceProcess.canHaveSmallDisk())
                .as("a file system of its own for a process (unshare --user --mount)")
                .isTrue();
        Files.createDirectory(folder.resolve("data"));
        Files.writeString(folder.resolve("config.yml"), """
            millrace:
              query: { max-records: 1000000 }
              regions:
                disk: { layout: blocks, persistent: true, block-records: 64 }
                memory: { layout: blocks }
                ended: { layout: blocks }
              pipelines:
                to-disk:
                  feed: { generator: { count: %1$d, rate: 2000 } }
                  schema: trade
                  steps:
                    - to: disk
                to-memory:
                  feed: { generator: { count: %1$d, rate: 2000 } }
                  schema: trade
                  steps:
                    - to: memory
                to-ended:
                  feed: { generator: { count: 1000 } }
                  schema: trade
                  steps:
                    - to: ended
            """.formatted(RECORDS));
    }

    @Test
    void shouldWaitForSpaceAndAnswerMeanwhile() throws Exception {
        try (MillraceProcess millrace = start("64MB")) {
            Nemesis full = FileNemesis.fillDisk(ballast(millrace));
            full.start();
            await().until(() -> readiness(millrace).contains("is full: 0 MB are free, millrace.data-reserve is 64 MB"));
            await().until(() -> is(millrace, "to-disk", "waiting"));
            assertThat(records(millrace, "disk")).isPositive();
            millrace.replay("to-memory", UNLIMITED);
            await().until(() -> is(millrace, "to-memory", "done"));
            await().until(() -> millrace.output().contains("Store attempt failed, retrying: pipeline=to-disk"));

            full.stop();
            millrace.replay("to-disk", UNLIMITED);
            requireAll(millrace);
            assertThat(millrace.output()).doesNotContain("The data folder is open again");
        }
    }

    @Test
    void shouldOpenTheFolderAgainWhereGeodeHasClosedIt() throws Exception {
        try (MillraceProcess millrace = start("0")) {
            Nemesis full = FileNemesis.fillDisk(ballast(millrace));
            full.start();
            await().until(() ->
                    readiness(millrace).contains("has failed: No space left on device. The store is closed"));

            full.stop();
            millrace.replay("to-memory", UNLIMITED);
            millrace.replay("to-disk", UNLIMITED);
            requireAll(millrace);
            assertThat(millrace.output())
                    .contains("The data folder is open again")
                    .contains("Pipeline to-disk returns to what is stored");
        }
    }

    private MillraceProcess start(String reserve) throws IOException {
        MillraceProcess millrace = MillraceProcess.startOnSmallDisk(
                folder, "data", "600m", "config.yml", "--server.port=0", "--millrace.data-reserve=" + reserve);
        try {
            await().until(() -> records(millrace, "disk") > 2_000 && is(millrace, "to-ended", "done"));
            return millrace;
        } catch (Throwable e) {
            millrace.close();
            throw e;
        }
    }

    private static String readiness(MillraceProcess millrace) throws IOException, InterruptedException {
        return String.valueOf(millrace.get("/actuator/health/readiness"));
    }

    private static long records(MillraceProcess millrace, String region) throws IOException, InterruptedException {
        String page = String.valueOf(millrace.get("/api/regions/" + region));
        return page.contains("\"records\":") ? Long.parseLong(page.replaceAll(".*\"records\":(\\d+).*", "$1")) : 0;
    }

    private static boolean is(MillraceProcess millrace, String pipeline, String state)
            throws IOException, InterruptedException {
        return String.valueOf(millrace.get("/api/pipelines/" + pipeline)).contains("\"state\":\"" + state + "\"");
    }

    private Path ballast(MillraceProcess millrace) {
        return millrace.seen(folder.resolve("data/ballast"));
    }

    /** All regions have each record of their feed once, without a restart. */
    private static void requireAll(MillraceProcess millrace) throws IOException, InterruptedException {
        await().until(() -> is(millrace, "to-disk", "done") && is(millrace, "to-memory", "done"));
        await().until(() -> records(millrace, "ended") == 1000);
        assertThat(readiness(millrace)).contains("\"UP\"");
        requireIds(millrace, "disk", RECORDS);
        requireIds(millrace, "memory", RECORDS);
        requireIds(millrace, "ended", 1000);
    }

    private static void requireIds(MillraceProcess millrace, String region, int count)
            throws IOException, InterruptedException {
        String ids = millrace.get("/api/regions/" + region + "/records?select=id&format=csv&limit=1000000");
        assertThat(String.valueOf(ids).lines().skip(1).map(Integer::valueOf).sorted())
                .isEqualTo(IntStream.rangeClosed(1, count).boxed().toList());
    }
}
