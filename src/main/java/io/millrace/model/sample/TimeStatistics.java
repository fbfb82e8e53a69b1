package io.millrace.model.sample;

import io.millrace.model.ModelField;
import io.millrace.schema.TimeFormats;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which forms of dates and instants fit all texts of a field. Starts with all forms that it knows, and drops those that
 * do not fit. Not thread-safe.
 */
final class TimeStatistics {

    private static final int MIN_LENGTH = 8;
    private static final int MAX_LENGTH = 40;

    /** Largest day that the default of the fixed layout, two bytes, holds next to the number for absent. */
    private static final long LAST_SHORT_DAY = 0xFFFE;

    /** A form of a date or an instant. */
    private record Form(@Nullable String pattern, boolean time, DateTimeFormatter formatter) {
        static Form of(String pattern) {
            return new Form(pattern, pattern.contains("H"), TimeFormats.strict(pattern));
        }
    }

    private static final List<Form> FORMS = forms();

    private List<Form> fitting = FORMS;
    private boolean ranged;
    private long minDay;
    private long maxDay;
    private long minSecond;
    private long maxSecond;
    private int fraction;

    private static List<Form> forms() {
        List<Form> forms = new ArrayList<>();
        forms.add(new Form(null, false, DateTimeFormatter.ISO_LOCAL_DATE));
        forms.add(new Form(null, true, DateTimeFormatter.ISO_INSTANT));
        for (String day : List.of("dd/MM/yyyy", "MM/dd/yyyy", "yyyy/MM/dd", "dd.MM.yyyy", "dd-MM-yyyy", "MM-dd-yyyy")) {
            forms.add(Form.of(day));
        }
        for (String day : List.of("yyyy-MM-dd", "dd/MM/yyyy", "MM/dd/yyyy", "yyyy/MM/dd", "dd.MM.yyyy")) {
            for (String time : List.of(" HH:mm", " HH:mm:ss", " HH:mm:ss.SSS", " HH:mm:ss.SSSSSS")) {
                forms.add(Form.of(day + time));
            }
        }
        for (String time : List.of("HH:mm", "HH:mm:ss", "HH:mm:ss.SSS", "HH:mm:ss.SSSSSS", "HH:mm:ss.SSSSSSSSS")) {
            forms.add(Form.of("yyyy-MM-dd'T'" + time));
        }
        return List.copyOf(forms);
    }

    /** Takes a text. */
    void see(String text) {
        if (fitting.isEmpty()) {
            return;
        }
        char first = text.isEmpty() ? ' ' : text.charAt(0);
        if (text.length() < MIN_LENGTH || text.length() > MAX_LENGTH || first < '0' || first > '9') {
            fitting = List.of();
            return;
        }
        List<Form> left = fitting.stream().filter(form -> fits(form, text)).toList();
        fitting = left.size() == fitting.size() ? fitting : left;
    }

    private boolean fits(Form form, String text) {
        try {
            if (form.time()) {
                seeInstant(TimeFormats.instant(form.formatter(), text));
            } else {
                seeDay(LocalDate.parse(text, form.formatter()).toEpochDay());
            }
            return true;
        } catch (DateTimeException _) {
            return false;
        }
    }

    private void seeDay(long day) {
        minDay = Math.min(minDay, day);
        maxDay = Math.max(maxDay, day);
    }

    private void seeInstant(Instant instant) {
        minSecond = ranged ? Math.min(minSecond, instant.getEpochSecond()) : instant.getEpochSecond();
        maxSecond = ranged ? Math.max(maxSecond, instant.getEpochSecond()) : instant.getEpochSecond();
        ranged = true;
        int nanos = instant.getNano();
        fraction = Math.max(fraction, nanos == 0 ? 0 : nanos % 1_000_000 == 0 ? 1 : nanos % 1_000 == 0 ? 2 : 3);
    }

    /**
     * Returns the field of dates or instants, or null if no form fits.
     *
     * @param fixed whether the field is of the fixed layout, in which a date states how it is stored
     */
    @Nullable
    ModelField field(String name, boolean fixed) {
        if (fitting.isEmpty() || minDay < Integer.MIN_VALUE + 1L || maxDay > Integer.MAX_VALUE) {
            return null;
        }
        Form form = fitting.getFirst();
        ModelField field = ModelField.of(name, form.time() ? "instant" : "date");
        if (form.time()) {
            String unit = List.of("s", "ms", "us", "ns").get(fraction);
            long limit = switch (fraction) {
                case 3 -> Long.MAX_VALUE / 1_000_000_000 - 1;
                case 2 -> Long.MAX_VALUE / 1_000_000 - 1;
                case 1 -> Long.MAX_VALUE / 1_000 - 1;
                default -> Long.MAX_VALUE - 1;
            };
            if (minSecond < -limit || maxSecond > limit) {
                return null;
            }
            field.with("unit", unit);
        } else if (fixed && (minDay < 0 || maxDay > LAST_SHORT_DAY)) {
            field.with("as", "i32");
        }
        if (form.pattern() != null) {
            field.with("format", form.pattern());
        }
        return field.comment(doubts(form));
    }

    private String doubts(Form form) {
        List<String> doubts = new ArrayList<>();
        if (form.pattern() != null && form.time()) {
            doubts.add("no time zone, read as UTC");
        }
        String others = fitting.stream().skip(1).map(Form::pattern).collect(Collectors.joining(", "));
        if (!others.isEmpty()) {
            doubts.add("all values also fit " + others);
        }
        return String.join("; ", doubts);
    }
}
