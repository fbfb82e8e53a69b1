package io.millrace.cli.file;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import me.tongfei.progressbar.ProgressBarConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A progress bar on stderr for large inputs and outputs, if stderr is a terminal: the task, what is done, the total,
 * the rate and the time left. The latter two need a known total.
 */
public final class Progress {

    private static final String STANDARD_INPUT = "stdin";

    private final BooleanSupplier shown;
    private final @Nullable ProgressBarConsumer consumer;

    /**
     * @param shown whether stderr is a terminal; called only if there is something to show
     * @param consumer what draws the bar; null to draw it on stderr
     */
    Progress(BooleanSupplier shown, @Nullable ProgressBarConsumer consumer) {
        this.shown = shown;
        this.consumer = consumer;
    }

    /** Returns the progress of a command that prints its result at its end. */
    public static Progress ofCommand() {
        return new Progress(Terminal::isErr, null);
    }

    /** Returns the progress of a command that writes a file. No bar is drawn among records on a terminal. */
    public static Progress writing(Path out) {
        return StandardStreams.isMeant(out)
                ? new Progress(() -> Terminal.isErr() && !Terminal.isOut(), null)
                : ofCommand();
    }

    /** Opens a file or the standard input. Reading much of it updates a progress bar. */
    public InputStream open(Path file) throws IOException {
        return StandardStreams.isMeant(file)
                ? watch(StandardStreams.in(), STANDARD_INPUT, ProgressCount.UNKNOWN)
                : watch(Files.newInputStream(file), file);
    }

    /** Updates a progress bar while a large file is read. */
    public InputStream watch(InputStream in, Path file) {
        long size = Files.isRegularFile(file) ? file.toFile().length() : ProgressCount.UNKNOWN;
        return watch(in, String.valueOf(file.getFileName()), size);
    }

    /** Updates a progress bar while a stream of so many bytes is read. */
    InputStream watch(InputStream in, String task, long bytes) {
        ProgressCount count = count(task, ProgressCount.Unit.MEBIBYTES, bytes);
        return new FilterInputStream(in) {
            @Override
            public int read() throws IOException {
                int value = in.read();
                count.add(value < 0 ? 0 : 1);
                return value;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                int bytesRead = in.read(into, offset, length);
                count.add(Math.max(0, bytesRead));
                return bytesRead;
            }

            @Override
            public void close() throws IOException {
                count.close();
                super.close();
            }
        };
    }

    /** Updates a progress bar while so many bytes are written. */
    public OutputStream watch(OutputStream out, String task, long bytes) {
        ProgressCount count = count(task, ProgressCount.Unit.MEBIBYTES, bytes);
        return new FilterOutputStream(out) {
            @Override
            public void write(byte[] from, int offset, int length) throws IOException {
                out.write(from, offset, length);
                count.add(length);
            }

            @Override
            public void write(int value) throws IOException {
                out.write(value);
                count.add(1);
            }

            @Override
            public void close() throws IOException {
                count.close();
                super.close();
            }
        };
    }

    /** Returns a count, which shows a progress bar as soon as much is done. */
    public ProgressCount count(String task, ProgressCount.Unit unit, long total) {
        return new ProgressCount(task, unit, total, shown, consumer);
    }
}
