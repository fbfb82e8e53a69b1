package io.millrace.cli;

import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/** A progress bar on stderr for long work, when a person is likely to look. */
final class Progress {

    private static final long MEGABYTE = 1 << 20;
    private static final long LONG_BYTES = 16 * MEGABYTE;

    private Progress() {}

    /** Opens a file, or the standard input; reading a long file moves a bar. */
    static InputStream open(Path file) throws IOException {
        return StandardStreams.isMeant(file) ? StandardStreams.in() : watch(Files.newInputStream(file), file);
    }

    /** Moves a bar as a file is read, if that is long. */
    static InputStream watch(InputStream in, Path file) {
        long size = file.toFile().length();
        return isShown(size) ? ProgressBar.wrap(in, bar(file.getFileName().toString(), size)) : in;
    }

    /** Whether work on so many bytes is long, and stderr a terminal as far as can be told. */
    static boolean isShown(long bytes) {
        return bytes >= LONG_BYTES
                && Optional.ofNullable(System.console())
                        .map(Console::isTerminal)
                        .orElse(false);
    }

    static ProgressBarBuilder bar(String task, long bytes) {
        return new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(bytes)
                .setUnit("MiB", MEGABYTE)
                .clearDisplayOnFinish();
    }
}
