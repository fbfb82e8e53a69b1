package io.millrace.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
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
                .isThrownBy(() -> new FileIdentity(file).verify(identity))
                .withMessageContaining(file.toString())
                .withMessageContaining(problem)
                .withMessageEndingWith(" [changed-feed]");
    }

    private void taken(Path path, byte[] other) throws IOException {
        Files.write(path, other);
        assertThatCode(() -> new FileIdentity(path).verify(identity)).doesNotThrowAnyException();
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
        assertThatCode(() -> new FileIdentity(file).verify("")).doesNotThrowAnyException();
    }

    @Test
    void shouldRefuseAFileInThePlaceOfAnotherKindOfFeed() {
        assertThatExceptionOfType(FeedChangedException.class)
                .isThrownBy(() -> new FileIdentity(file).verify("generator seed=1"))
                .withMessageContaining("is configured, but 'generator seed=1' was read");
    }

    private String identity(long position) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            FileIdentity read = new FileIdentity(file);
            read.open(channel, position);
            return read.at(position);
        }
    }

    @Test
    void shouldIdentifyBytesAsTheyWereReadInPartsOfAnySize() throws Exception {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            int position = random.nextInt(3_000);
            int before = position;
            FileIdentity read = new FileIdentity(file);
            try (FileChannel channel = FileChannel.open(file)) {
                read.open(channel, position);
                while (position < 9_000) {
                    int batchStart = position;
                    for (int parts = random.nextInt(4); parts > 0; parts--) {
                        int length = random.nextInt(random.nextBoolean() ? 20 : 2_000);
                        int count = Math.min(length, bytes.length - position);
                        int offset = random.nextInt(10);
                        byte[] window = new byte[offset + count];
                        System.arraycopy(bytes, position, window, offset, count);
                        read.read(window, offset, count);
                        position += count;
                    }
                    if (random.nextInt(10) == 0) {
                        position = Math.min(bytes.length, position + random.nextInt(1_500));
                        read.moveTo(position);
                    }
                    read.endBatch();
                    before = position == batchStart ? before : batchStart;
                    assertThat(read.at(position)).as("seed %d", seed).isEqualTo(expected(position));
                    assertThat(read.at(before)).as("seed %d", seed).isEqualTo(expected(before));
                }
            }
        }
    }

    private String expected(int position) throws IOException, NoSuchAlgorithmException {
        int length = Math.min(1024, position);
        Object key = Files.getAttribute(file, "basic:fileKey");
        return "file size=10000 key=" + key + " first=" + length + ":" + hash(0, length) + " at=" + position + " last="
                + length + ":" + hash(position - length, length);
    }

    private String hash(int start, int length) throws NoSuchAlgorithmException {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(Arrays.copyOfRange(bytes, start, start + length));
        return HexFormat.of().formatHex(digest, 0, 8);
    }

    @Test
    void shouldIdentifyOnlyTheEndsOfTheLastTwoBatches() throws IOException {
        FileIdentity read = new FileIdentity(file);
        try (FileChannel channel = FileChannel.open(file)) {
            read.open(channel, 0);
            read.read(bytes, 0, 10);
            assertThat(read.endOfBatch()).isZero();
            assertThatIllegalArgumentException().isThrownBy(() -> read.at(10));
            read.endBatch();
            read.read(bytes, 10, 10);
            read.endBatch();
            assertThatIllegalArgumentException().isThrownBy(() -> read.at(0));
            assertThat(read.at(10)).contains(" at=10 ");
            assertThat(read.at(20)).contains(" at=20 ");
            assertThat(read.endOfBatch()).isEqualTo(20);
        }
    }
}
