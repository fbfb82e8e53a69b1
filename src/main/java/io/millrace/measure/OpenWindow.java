package io.millrace.measure;

import org.jspecify.annotations.Nullable;

/**
 * The first rows of a window that is still open, as of one moment between two batches. Immutable.
 *
 * @param window the rows
 * @param groups how many rows the window has; null where counting them would hold up the pipeline
 */
public record OpenWindow(Window window, @Nullable Integer groups) {}
