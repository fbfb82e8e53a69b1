package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged jar on a heap that its queries exhaust. The launcher leaves that to the JVM. */
@Tag("long")
class OutOfMemoryIT {

    private static final String ALL_GROUPS =
            "/api/regions/buys/aggregate?by=id&values=count(),sum(amount1)&limit=1000000";

    @TempDir
    Path folder;

    @Test
    void shouldEndWithAnExitCodeOfItsOwnWhereQueriesExhaustTheHeap() throws Exception {
        Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  regions:
                    buys: { layout: blocks }
                  pipelines:
                    trades:
                      feed: { generator: { count: 500000 } }
                      schema: trade
                      steps:
                        - to: buys
                """);
        try (MillraceProcess millrace =
                MillraceProcess.startPackaged(folder, "200m", "config.yml", "--server.port=0")) {
            await().until(() -> state(millrace).contains("\"state\":\"done\""));
            List<Thread> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                clients.add(Thread.startVirtualThread(() -> query(millrace)));
            }
            assertThat(millrace.exitCode()).isEqualTo(OutOfMemoryExit.EXIT_CODE);
            assertThat(millrace.output())
                    .containsOnlyOnce("Millrace ended with exit code 3: the JVM is out of memory.");
            for (Thread client : clients) {
                client.join();
            }
        }
    }

    private static String state(MillraceProcess millrace) throws IOException, InterruptedException {
        String page = millrace.get("/api/pipelines");
        return page == null ? "" : page;
    }

    /** Until the connection breaks, as all do when the process ends. */
    private static void query(MillraceProcess millrace) {
        try {
            while (millrace.alive()) {
                millrace.get(ALL_GROUPS);
            }
        } catch (IOException e) {
            // ended
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
