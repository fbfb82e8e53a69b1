package io.millrace.nemesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileNemesisTest {

    private static final String TEXT = "0123456789";

    @TempDir
    Path folder;

    @SuppressWarnings("NullAway.Init") // written before each test
    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(folder.resolve("feed.bin"), TEXT);
    }

    private void requireRestored() {
        assertThat(file).hasContent(TEXT);
        assertThat(folder).isDirectoryContaining(path -> path.equals(file));
    }

    @Test
    void shouldOverwriteInPlace() throws Exception {
        Object inode = Files.getAttribute(file, "unix:ino");
        Nemesis nemesis = FileNemesis.overwrite(file, "other".getBytes(StandardCharsets.UTF_8));
        nemesis.start();
        assertThat(file).hasContent("other");
        assertThat(Files.getAttribute(file, "unix:ino")).isEqualTo(inode);
        nemesis.stop();
        requireRestored();
    }

    @Test
    void shouldTruncate() throws Exception {
        Nemesis nemesis = FileNemesis.truncate(file, 4);
        nemesis.start();
        assertThat(file).hasContent("0123");
        nemesis.stop();
        requireRestored();
    }

    @Test
    void shouldFlipOneBit() throws Exception {
        Nemesis nemesis = FileNemesis.flipBit(file, 1);
        nemesis.start();
        byte[] flipped = Files.readAllBytes(file);
        byte[] before = TEXT.getBytes(StandardCharsets.UTF_8);
        int bits = 0;
        for (int i = 0; i < before.length; i++) {
            bits += Integer.bitCount((before[i] ^ flipped[i]) & 0xFF);
        }
        assertThat(bits).isEqualTo(1);
        nemesis.stop();
        requireRestored();
    }

    @Test
    void shouldZeroAPageOrCutTheEnd() throws Exception {
        byte[] pages = new byte[100_000];
        Arrays.fill(pages, 0, 80_000, (byte) 1);
        Files.write(file, pages);
        for (int seed = 0; seed < 20; seed++) {
            Nemesis zeroed = FileNemesis.zeroPage(file, seed);
            zeroed.start();
            byte[] bytes = Files.readAllBytes(file);
            int first = 0;
            while (bytes[first] != 0) {
                first++;
            }
            Arrays.fill(bytes, first, first + 4096, (byte) 1);
            assertThat(first % 4096).isZero();
            assertThat(bytes).isEqualTo(pages);
            zeroed.stop();
            Nemesis cut = FileNemesis.cutEnd(file, seed);
            cut.start();
            assertThat(Files.size(file)).isBetween(80_000L - 16 * 4096, 79_999L);
            cut.stop();
            assertThat(Files.readAllBytes(file)).isEqualTo(pages);
        }
    }

    @Test
    void shouldRenameAndReplace() throws Exception {
        Nemesis renamed = FileNemesis.rename(file);
        renamed.start();
        assertThat(file).doesNotExist();
        renamed.stop();
        requireRestored();
        Nemesis replaced = FileNemesis.replace(file, "newer");
        replaced.start();
        assertThat(file).hasContent("newer");
        replaced.stop();
        requireRestored();
    }

    @Test
    void shouldReplaceRepeatedlyUntilStopped() throws Exception {
        AtomicInteger version = new AtomicInteger();
        Nemesis nemesis = FileNemesis.replaceRepeatedly(file, 1, 1, () -> "v" + version.incrementAndGet());
        nemesis.start();
        await().until(() -> version.get() > 3);
        nemesis.stop();
        int last = version.get();
        assertThat(file).hasContent("v" + last);
    }

    @Test
    void shouldThrowAtItsEndWhyItFailed() throws Exception {
        Nemesis nemesis = Nemesis.repeated("bad", 1, 1, () -> {
            throw new IOException("no space");
        });
        nemesis.start();
        assertThatThrownBy(nemesis::stop).hasMessage("Nemesis 'bad' failed.").hasRootCauseMessage("no space");
    }
}
