package io.millrace.web;

import io.millrace.store.Answer;
import io.millrace.store.ScanCounts;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows of an answer, and what there is to tell behind the last. One thread at a time takes rows; any may close it. */
interface Rows extends AutoCloseable {

    /** Names of the values of each row, in their order. */
    List<String> columns();

    /** The next row, or null where there are no more. */
    @Nullable
    Map<String, @Nullable Object> next();

    /** What is told behind the last row. */
    Map<String, @Nullable Object> end();

    /** Stops looking for rows; does not wait. */
    @Override
    void close();

    /**
     * The rows of an answer from a store; behind them stands what was looked at.
     *
     * @param columns names of the values of each row
     */
    static Rows of(List<String> columns, Answer<Map<String, @Nullable Object>> answer) {
        return new Rows() {
            @Override
            public List<String> columns() {
                return columns;
            }

            @Override
            public @Nullable Map<String, @Nullable Object> next() {
                return answer.next();
            }

            @Override
            public Map<String, @Nullable Object> end() {
                ScanCounts counts = answer.counts();
                Map<String, @Nullable Object> end = new LinkedHashMap<>();
                end.put("scanned", counts.scanned());
                end.put("scannedBlocks", counts.scannedBlocks());
                end.put("skippedBlocks", counts.skippedBlocks());
                end.put("failed", counts.failed());
                end.put("firstFailure", counts.firstFailure());
                end.put("nanos", answer.nanos());
                return end;
            }

            @Override
            public void close() {
                answer.close();
            }
        };
    }

    /**
     * Rows that are there already; nothing stands behind them.
     *
     * @param columns names of the values of each row
     */
    static Rows of(List<String> columns, Iterable<Map<String, @Nullable Object>> all) {
        Iterator<Map<String, @Nullable Object>> rows = all.iterator();
        return new Rows() {
            @Override
            public List<String> columns() {
                return columns;
            }

            @Override
            public @Nullable Map<String, @Nullable Object> next() {
                return rows.hasNext() ? rows.next() : null;
            }

            @Override
            public Map<String, @Nullable Object> end() {
                return Map.of();
            }

            @Override
            public void close() {}
        };
    }
}
