package io.millrace.client;

import io.millrace.codec.view.RecordViews;
import io.millrace.store.RecordReader;
import io.millrace.store.StoredRecords;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads records as views of an interface, whose class is made once. Thread-safe; the readers it makes are not. */
final class ViewReading<T> implements Function<StoredRecords, RecordReader<T>> {

    private final Class<T> view;
    private final List<String> names;
    private final List<String> fields;
    private volatile @Nullable RecordViews<T> views;

    /** @param names of fields that there are */
    ViewReading(Class<T> view, List<String> names) {
        this.view = view;
        this.names = names;
        this.fields = RecordViews.fields(view, names);
    }

    /** Names of the fields that the views show. */
    List<String> fields() {
        return fields;
    }

    @Override
    public RecordReader<T> apply(StoredRecords records) {
        RecordViews<T> made = views;
        if (made == null) {
            // Of the same fields always, so that they lie at the same places in all rows.
            made = RecordViews.of(view, names, records::codec);
            views = made;
        }
        RecordViews<T> shown = made;
        return (stored, from, to) -> shown.of(records.row(stored, from, to));
    }
}
