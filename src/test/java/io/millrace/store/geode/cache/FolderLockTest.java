package io.millrace.store.geode.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.store.error.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderLockTest {

    @TempDir
    Path folder;

    @Test
    void shouldNameTheProcessThatHoldsIt() {
        try (FolderLock _ = FolderLock.take(folder)) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> FolderLock.take(folder))
                    .withMessageContaining("Folder '" + folder + "' is in use by ")
                    .withMessageContaining("(process " + ProcessHandle.current().pid() + ") since 2")
                    .withMessageEndingWith(" [locked-folder]");
        }
    }

    @Test
    void shouldTakeAFolderWhoseProcessWasKilled() throws IOException {
        Path file = folder.resolve("millrace.lock");
        Files.writeString(file, "a-host-with-a-long-name (process 4711) since 2026-11-22T08:00:00Z\n");
        FolderLock.take(folder).close();
        assertThat(file).isEmptyFile();
        try (FolderLock _ = FolderLock.take(folder)) {
            assertThat(file).content().contains("(process ").doesNotContain("4711");
        }
    }
}
