package io.millrace.corpus;

import io.millrace.view.RecordViews;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Getters of views: fields, and virtual fields of their schema. */
final class ViewPlace implements Place {

    private final CorpusForm form;

    /** A view of a record. */
    public interface Computed {
        long getN();

        @Nullable
        Object getV();
    }

    /** A view of a record with a condition. */
    public interface Conditional {
        long getN();

        boolean isV();
    }

    private ViewPlace(CorpusForm form) {
        this.form = form;
    }

    /** Returns a place for each layout that has views. */
    static List<Place> all(CorpusRecords records) {
        return List.of(new ViewPlace(records.fixed()), new ViewPlace(records.compact()));
    }

    @Override
    public Found matching(String condition) {
        RecordViews<Conditional> views = RecordViews.of(Conditional.class, form.with("v", condition));
        Map<Long, @Nullable Object> found = new TreeMap<>();
        long failed = 0;
        for (byte[] record : form.records()) {
            Conditional view = views.of(record);
            try {
                if (view.isV()) {
                    found.put(view.getN(), true);
                }
            } catch (IllegalArgumentException noResult) {
                failed++;
            }
        }
        return new Found(found, failed);
    }

    @Override
    public Found values(String expression) {
        RecordViews<Computed> views = RecordViews.of(Computed.class, form.with("v", expression));
        Map<Long, @Nullable Object> found = new TreeMap<>();
        long failed = 0;
        for (byte[] record : form.records()) {
            Computed view = views.of(record);
            try {
                found.put(view.getN(), Found.plain(view.getV()));
            } catch (IllegalArgumentException noResult) {
                failed++;
            }
        }
        return new Found(found, failed);
    }

    @Override
    public String toString() {
        return "view-" + form.name();
    }
}
