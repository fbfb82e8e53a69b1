package io.millrace.measure;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The last windows of a measure: as many as are looked at, and no more rows than fit. One thread at a time adds, any
 * may read, without waiting.
 */
final class History {

    private static final int WINDOWS_MAX = 60;
    private static final int ROWS_MAX = 100_000;

    private final Deque<Window> windows = new ArrayDeque<>();
    private volatile List<Window> newestFirst = List.of();
    private int rows;

    /** Adds a window; the oldest ones go, and the newest stays in any case. */
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

    /** The windows, newest first. */
    List<Window> newestFirst() {
        return newestFirst;
    }
}
