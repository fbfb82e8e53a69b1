package io.millrace.store.geode.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateFolderTest {

    @TempDir
    Path folder;

    @Test
    void shouldCreateFoldersThatOnlyTheirOwnerReads() throws IOException {
        Path data = folder.resolve("a/data");
        PrivateFolder.create(data);
        assertThat(permissions(data)).isEqualTo("rwx------");
        assertThat(permissions(folder.resolve("a"))).isEqualTo("rwx------");
    }

    @Test
    void shouldLeaveAFolderThatExistsAsItIs() throws IOException {
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-x---"));
        PrivateFolder.create(data);
        assertThat(permissions(data)).isEqualTo("rwxr-x---");
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }
}
