package io.millrace.measure.window;

import io.millrace.measure.plan.Window;
import org.jspecify.annotations.Nullable;

/**
 * The first rows of an open window at one moment between two batches. Immutable.
 *
 * @param window the rows
 * @param groups number of rows of the window, or null if counting them would delay the pipeline
 */
public record OpenWindow(Window window, @Nullable Integer groups) {}
