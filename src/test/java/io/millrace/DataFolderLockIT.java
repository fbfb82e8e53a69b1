package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Two processes with one data folder. */
class DataFolderLockIT {

    private static final String[] RUN = {"config.yml", "--server.port=0"};

    @TempDir
    Path folder;

    @Test
    void shouldNameTheProcessThatUsesTheFolder() throws Exception {
        Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  regions:
                    trades: { layout: blocks, persistent: true }
                  pipelines:
                    trades:
                      feed: { generator: { count: 100 } }
                      schema: trade
                      steps:
                        - to: trades
                """);
        try (MillraceProcess first = MillraceProcess.start(folder, RUN)) {
            await().until(() -> isUp(first));
            try (MillraceProcess second = MillraceProcess.start(folder, RUN)) {
                assertThat(second.exitCode()).isOne();
                assertThat(second.output())
                        .contains("Folder 'data' is in use by ", "(process " + first.pid() + ") since 2")
                        .containsPattern("The store can't be opened: .*name another folder\\. \\[locked-folder]");
            }
            first.kill();
        }
        try (MillraceProcess third = MillraceProcess.start(folder, RUN)) {
            await().until(() -> isUp(third));
        }
    }

    /** As a whole: parts of it may be up while others are down. */
    private static boolean isUp(MillraceProcess millrace) throws IOException, InterruptedException {
        String page = millrace.get("/actuator/health/readiness");
        return page != null
                && JsonMapper.shared()
                        .readTree(page)
                        .path("status")
                        .stringValue("")
                        .equals("UP");
    }
}
