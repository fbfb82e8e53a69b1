package io.millrace.codec;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The elements of the parts that repeat in the records of a batch. They can be deferred, so that they are found only in
 * records that are still selected when an expression reads them. Not thread-safe.
 */
public final class BatchElements {

    private List<ChildRows> rows;
    private @Nullable Admission finder;

    BatchElements(List<ChildRows> rows) {
        this.rows = rows;
    }

    /** Returns the rows of each part, in the order of the schema's groups. */
    List<ChildRows> rows() {
        return rows;
    }

    /** Uses rows that have been written. */
    void use(List<ChildRows> written) {
        rows = written;
        finder = null;
    }

    /** Uses the rows of another batch, which must have found its elements. */
    void share(BatchElements other) {
        if (other.finder != null) {
            throw new IllegalStateException("Elements of repeating parts are missing. Find them before.");
        }
        use(other.rows);
    }

    /** Forgets a finder of earlier records. */
    void clear() {
        finder = null;
    }

    /** Leaves out the elements until {@link #find} is called. */
    public void defer(Admission elementFinder) {
        finder = elementFinder;
    }

    /**
     * Finds the elements of the selected records if that was deferred; otherwise does nothing. Whatever reads elements
     * calls it before.
     *
     * @param batch the batch of these elements
     * @param rejects receives records whose elements can't be read; they leave the selection
     */
    public void find(RecordBatch batch, RejectSink rejects) {
        Admission deferred = finder;
        if (deferred != null) {
            finder = null;
            deferred.admit(batch, rejects);
        }
    }
}
