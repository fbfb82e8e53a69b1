package io.millrace.cli.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgressTest {

    private static final int MEBIBYTE = 1 << 20;
    private static final int WIDTH = 120;

    @TempDir
    Path folder;

    private final List<String> shown = new CopyOnWriteArrayList<>();

    private Progress progress(BooleanSupplier terminal) {
        return new Progress(terminal, new DelegatingProgressBarConsumer(shown::add, WIDTH));
    }

    /** Returns the last bar before it was removed. */
    private String last() {
        return shown.stream().filter(line -> !line.isBlank()).toList().getLast();
    }

    @Test
    void shouldShowDoneTotalRateAndTimeLeft() throws IOException {
        Path file = Files.write(folder.resolve("big.bin"), new byte[32 * MEBIBYTE]);
        try (InputStream in = progress(() -> true).open(file)) {
            in.readNBytes(16 * MEBIBYTE);
            in.readAllBytes();
        }
        assertThat(last()).matches("big\\.bin +100% .* 32/32 MiB \\(.* / .*\\) \\S+ MiB/s *");
    }

    @Test
    void shouldShowDoneAndRateWhereTheTotalIsUnknown() throws IOException {
        try (InputStream in = progress(() -> true)
                .watch(new ByteArrayInputStream(new byte[20 * MEBIBYTE]), "stdin", ProgressCount.UNKNOWN)) {
            in.readNBytes(10 * MEBIBYTE);
            assertThat(shown).isEmpty();
            in.readAllBytes();
        }
        assertThat(last()).matches("stdin .* 20/\\? MiB \\(.*\\) \\S+ MiB/s *");
    }

    @Test
    void shouldShowWhatIsWritten() throws IOException {
        try (OutputStream out =
                progress(() -> true).watch(OutputStream.nullOutputStream(), "generate", 16 * MEBIBYTE)) {
            out.write(new byte[8 * MEBIBYTE]);
        }
        assertThat(last()).contains("generate", "8/16 MiB");
    }

    @Test
    void shouldCountRecords() {
        try (ProgressCount count = progress(() -> true).count("trades", ProgressCount.Unit.RECORDS, 2_000_000)) {
            count.add(1_000_000);
        }
        assertThat(last()).contains("trades", "1000000/2000000 records", " records/s");
    }

    /** So NO_COLOR needs no option. */
    @Test
    void shouldHaveNoColors() throws IOException {
        try (OutputStream out =
                progress(() -> true).watch(OutputStream.nullOutputStream(), "generate", 16 * MEBIBYTE)) {
            out.write(new byte[16 * MEBIBYTE]);
        }
        assertThat(shown).isNotEmpty().allSatisfy(line -> assertThat(line).doesNotContain("\033["));
    }

    @Test
    void shouldShowNothingWithoutATerminal() throws IOException {
        try (OutputStream out =
                progress(() -> false).watch(OutputStream.nullOutputStream(), "generate", 64 * MEBIBYTE)) {
            out.write(new byte[64 * MEBIBYTE]);
        }
        assertThat(shown).isEmpty();
    }

    @Test
    void shouldNotAskForATerminalForShortTasks() throws IOException {
        Path file = Files.write(folder.resolve("small.bin"), new byte[MEBIBYTE]);
        BooleanSupplier unexpected = () -> {
            throw new AssertionError();
        };
        try (InputStream in = progress(unexpected).open(file)) {
            assertThat(in.readAllBytes()).hasSize(MEBIBYTE);
        }
    }
}
