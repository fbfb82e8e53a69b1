package io.millrace.measure.window;

import io.millrace.measure.plan.Window;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The most recent windows of a measure: 60 at most, and fewer if their rows exceed 100,000 in total. One thread at a
 * time adds windows. Any thread may read them without blocking.
 */
final class ClosedWindows {

    private static final int WINDOWS_MAX = 60;
    private static final int ROWS_MAX = 100_000;

    private final Deque<Window> windows = new ArrayDeque<>();
    private volatile List<Window> newestFirst = List.of();
    private int rows;

    /** Adds a window and drops the oldest ones over the limits. The newest window is always retained. */
    void add(Window window) {
        windows.addFirst(window);
        rows += window.count();
        while (windows.size() > 1 && (windows.size() > WINDOWS_MAX || rows > ROWS_MAX)) {
            rows -= windows.removeLast().count();
        }
        newestFirst = List.copyOf(windows);
    }

    void clear() {
        windows.clear();
        rows = 0;
        newestFirst = List.of();
    }

    /** Returns the windows, newest first. */
    List<Window> newestFirst() {
        return newestFirst;
    }
}
