package io.millrace.web.answer;

import io.millrace.store.query.Answer;
import io.millrace.store.query.ScanCounts;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an answer, and the values that follow them. One thread at a time takes rows; any thread may close it.
 *
 * @param <R> type of the rows
 */
interface Rows<R> extends AutoCloseable {

    /** Returns the next row, or null if there are no more. */
    @Nullable
    R next();

    /** Returns the values that follow the last row. */
    Map<String, @Nullable Object> end();

    /** Ends the query. Does not wait. */
    @Override
    void close();

    /** Returns the number of records so far that are in no row because an expression has no result for them. */
    long failed();

    /** Returns the rows of an answer from a store, followed by the counts of the scan. */
    static <R> Rows<R> of(Answer<R> answer) {
        return new Rows<>() {
            @Override
            public @Nullable R next() {
                return answer.next();
            }

            @Override
            public long failed() {
                return answer.counts().failed();
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
}
