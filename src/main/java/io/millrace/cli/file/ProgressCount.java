package io.millrace.cli.file;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Duration;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Counts how much of a task is done, and shows it as a progress bar without colors. A short task, and one without a
 * terminal, shows nothing. Not thread-safe.
 */
public final class ProgressCount implements AutoCloseable {

    /** A total that is unknown. */
    public static final long UNKNOWN = -1;

    /** What is counted. */
    public enum Unit {
        /** Bytes, which are shown as MiB. */
        MEBIBYTES(" MiB", 1 << 20, 16 << 20),
        /** Records. */
        RECORDS(" records", 1, 500_000);

        private final String label;
        private final long size;
        /** A task of less is short. */
        private final long shown;

        Unit(String label, long size, long shown) {
            this.label = label;
            this.size = size;
            this.shown = shown;
        }
    }

    private final String task;
    private final Unit unit;
    private final BooleanSupplier terminal;
    private final @Nullable ProgressBarConsumer consumer;
    private final long start = System.nanoTime();
    private long done;
    private long total;
    private boolean decided;
    private @Nullable ProgressBar bar;

    ProgressCount(
            String task, Unit unit, long total, BooleanSupplier terminal, @Nullable ProgressBarConsumer consumer) {
        this.task = task;
        this.unit = unit;
        this.total = total;
        this.terminal = terminal;
        this.consumer = consumer;
    }

    /** Adds to what is done. */
    public void add(long more) {
        moveTo(done + more, total);
    }

    /** Changes what is done, and the total. */
    public void moveTo(long newDone, long newTotal) {
        done = newDone;
        total = newTotal;
        if (bar != null) {
            bar.stepTo(done);
        } else if (!decided && Math.max(done, total) >= unit.shown && done > 0) {
            decided = true;
            bar = terminal.getAsBoolean() ? bar() : null;
        }
    }

    private ProgressBar bar() {
        ProgressBarBuilder builder = new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(total)
                .setUnit(unit.label, unit.size)
                .setStyle(ProgressBarStyle.ASCII)
                .showSpeed(new DecimalFormat(
                        unit.size == 1 ? "#,##0" : "#,##0.0", DecimalFormatSymbols.getInstance(Locale.ROOT)))
                .startsFrom(done, Duration.ofNanos(System.nanoTime() - start))
                .clearDisplayOnFinish();
        if (consumer != null) {
            builder.setConsumer(consumer);
        }
        return builder.build();
    }

    /** Removes the bar. */
    @Override
    public void close() {
        decided = true;
        if (bar != null) {
            bar.close();
            bar = null;
        }
    }
}
