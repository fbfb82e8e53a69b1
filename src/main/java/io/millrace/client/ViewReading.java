package io.millrace.client;

import io.millrace.store.query.StoredRecordReader;
import io.millrace.store.query.StoredRecords;
import io.millrace.view.RecordViews;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads records as views of an interface, whose class is generated once. Thread-safe; the readers it returns are not.
 */
final class ViewReading<T> implements Function<StoredRecords, StoredRecordReader<T>> {

    private final Class<T> view;
    private final List<String> names;
    private final List<String> fields;
    private volatile @Nullable RecordViews<T> views;

    /** @param names of the fields in the records */
    ViewReading(Class<T> view, List<String> names) {
        this.view = view;
        this.names = names;
        this.fields = RecordViews.fields(view, names);
    }

    /** Returns the names of the fields that the views show. */
    List<String> fields() {
        return fields;
    }

    @Override
    public StoredRecordReader<T> apply(StoredRecords records) {
        RecordViews<T> current = views;
        if (current == null) {
            // Always for the same fields, so that they have the same offsets in all rows.
            current = RecordViews.of(view, names, records::codec);
            views = current;
        }
        RecordViews<T> recordViews = current;
        return (stored, from, to) -> recordViews.of(records.row(stored, from, to));
    }
}
