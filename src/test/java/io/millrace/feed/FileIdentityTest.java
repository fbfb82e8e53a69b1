package io.millrace.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileIdentityTest {

    private static final int READ = 5000;

    @TempDir
    Path folder;

    private Path file;
    private final byte[] bytes = new byte[10_000];
    private String identity = "";

    @BeforeEach
    void read() throws IOException {
        new Random(1).nextBytes(bytes);
        file = Files.write(folder.resolve("a.bin"), bytes);
        identity = identity(READ);
    }

    private void refused(byte[] other, String problem) throws IOException {
        Files.write(file, other);
        assertThatExceptionOfType(FeedChangedException.class)
                .isThrownBy(() -> FileIdentity.verify(file, identity))
                .withMessageContaining(file.toString())
                .withMessageContaining(problem)
                .withMessageEndingWith(" [changed-feed]");
    }

    private void taken(Path path, byte[] other) throws IOException {
        Files.write(path, other);
        assertThatCode(() -> FileIdentity.verify(path, identity)).doesNotThrowAnyException();
    }

    @Test
    void shouldTakeAFileThatHasGrownOrWasCopied() throws IOException {
        taken(file, bytes);
        taken(file, Arrays.copyOf(bytes, 20_000));
        taken(file, Arrays.copyOf(bytes, READ));
        taken(folder.resolve("b.bin"), bytes);
    }

    @Test
    void shouldRefuseAFileThatBeginsOrContinuesOtherwise() throws IOException {
        byte[] first = bytes.clone();
        first[0] ^= 1;
        refused(first, "begins with other bytes");
        byte[] last = bytes.clone();
        last[READ - 1] ^= 1;
        refused(last, "continues with other bytes");
        refused(Arrays.copyOf(bytes, READ - 1), "has 4999 bytes, but its records were read up to byte 5000");
    }

    @Test
    void shouldTakeAnyFileWhereNothingWasRead() throws IOException {
        identity = identity(0);
        taken(file, new byte[] {1, 2, 3});
        taken(file, new byte[0]);
        assertThat(identity).startsWith("file size=10000 ").doesNotContain("\n");
    }

    @Test
    void shouldCheckNothingThatItDoesNotKnow() {
        assertThatCode(() -> FileIdentity.verify(file, "")).doesNotThrowAnyException();
    }

    @Test
    void shouldRefuseAFileInThePlaceOfAnotherKindOfFeed() {
        assertThatExceptionOfType(FeedChangedException.class)
                .isThrownBy(() -> FileIdentity.verify(file, "generator seed=1"))
                .withMessageContaining("is configured, but 'generator seed=1' was read");
    }

    private String identity(long position) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            return FileIdentity.of(channel, FileIdentity.key(file), position);
        }
    }
}
