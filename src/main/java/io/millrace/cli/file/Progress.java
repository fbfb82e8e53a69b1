package io.millrace.cli.file;

import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/** A progress bar on stderr for large files, if stderr is likely a terminal. */
public final class Progress {

    private static final long MEGABYTE = 1 << 20;
    private static final long LONG_BYTES = 16 * MEGABYTE;

    private Progress() {}

    /** Opens a file or the standard input. Reading a large file updates a progress bar. */
    public static InputStream open(Path file) throws IOException {
        return StandardStreams.isMeant(file) ? StandardStreams.in() : watch(Files.newInputStream(file), file);
    }

    /** Updates a progress bar while a large file is read. */
    public static InputStream watch(InputStream in, Path file) {
        long size = file.toFile().length();
        return isShown(size) ? ProgressBar.wrap(in, bar(file.getFileName().toString(), size)) : in;
    }

    /** Returns whether so many bytes need a progress bar, and stderr seems to be a terminal. */
    public static boolean isShown(long bytes) {
        return bytes >= LONG_BYTES
                && Optional.ofNullable(System.console())
                        .map(Console::isTerminal)
                        .orElse(false);
    }

    public static ProgressBarBuilder bar(String task, long bytes) {
        return new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(bytes)
                .setUnit("MiB", MEGABYTE)
                .clearDisplayOnFinish();
    }
}
