package io.millrace.view.list;

import java.util.ConcurrentModificationException;
import java.util.Spliterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Traverses the records of a list for streams. Finds the array of a chunk once for all of its records, so that the next
 * view is created without further checks. Belongs to one thread.
 */
final class RecordSpliterator<T> implements Spliterator<T> {

    private final RecordList<T> list;

    /** Records of the list when the first of them is read, or null before. */
    private @Nullable ChunkedRecords records;

    private int modifications;
    private int next;
    private int end = -1;

    /** The chunk that has the next record, if there is one before {@link #chunkEnd}. */
    private byte[] chunk = {};

    private int at;
    private int chunkEnd;

    RecordSpliterator(RecordList<T> list) {
        this.list = list;
    }

    private RecordSpliterator(RecordList<T> list, ChunkedRecords records, int modifications, int next, int end) {
        this.list = list;
        this.records = records;
        this.modifications = modifications;
        this.next = next;
        this.end = end;
        this.chunkEnd = next;
    }

    private ChunkedRecords bind() {
        if (records == null) {
            records = list.records();
            modifications = list.modifications();
            end = records.count();
        }
        return records;
    }

    private boolean nextChunk() {
        ChunkedRecords bound = bind();
        if (next >= end) {
            return false;
        }
        chunk = bound.array(next);
        at = bound.start(next);
        chunkEnd = Math.min(end - 1, bound.lastInChunk(next)) + 1;
        return true;
    }

    private void create(ChunkedRecords bound, Consumer<? super T> action) {
        int length = bound.length(next);
        int start = at;
        next++;
        at += length;
        action.accept(list.view(chunk, start, length));
    }

    private void requireUnchanged() {
        if (list.modifications() != modifications) {
            throw new ConcurrentModificationException();
        }
    }

    @Override
    public boolean tryAdvance(Consumer<? super T> action) {
        if (next == chunkEnd && !nextChunk()) {
            return false;
        }
        create(bind(), action);
        requireUnchanged();
        return true;
    }

    @Override
    public void forEachRemaining(Consumer<? super T> action) {
        ChunkedRecords bound = bind();
        while (next < chunkEnd || nextChunk()) {
            while (next < chunkEnd) {
                create(bound, action);
            }
        }
        requireUnchanged();
    }

    @Override
    public @Nullable Spliterator<T> trySplit() {
        ChunkedRecords bound = bind();
        int middle = (next + end) >>> 1;
        if (middle <= next) {
            return null;
        }
        Spliterator<T> first = new RecordSpliterator<>(list, bound, modifications, next, middle);
        next = middle;
        chunkEnd = middle;
        return first;
    }

    @Override
    public long estimateSize() {
        bind();
        return (long) end - next;
    }

    @Override
    public int characteristics() {
        return ORDERED | SIZED | SUBSIZED | NONNULL;
    }
}
