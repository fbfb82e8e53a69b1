package io.millrace.codec;

import io.millrace.schema.Field;
import io.millrace.schema.TimeFormats;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** Reads and writes dates, stored as the number of days since 1970-01-01. */
@API(status = API.Status.STABLE)
public final class DateCodec extends NumberedCodec {

    /** Patterns that show each day of our era. Those with two digits of the year may show another day. */
    private static final Pattern FOUR_DIGITS = Pattern.compile("[^uy']*(uuuu|yyyy)[^uy']*");

    private final DateTimeFormatter formatter;
    private final boolean fourDigits;

    DateCodec(Field field) {
        super(field);
        String pattern = field.format();
        formatter = pattern == null ? DateTimeFormatter.ISO_LOCAL_DATE : TimeFormats.strict(pattern);
        fourDigits = pattern == null || FOUR_DIGITS.matcher(pattern).matches();
    }

    /** Returns the days since 1970-01-01. Allocates nothing. */
    public long epochDay(byte[] bytes, int record) {
        return rawNumber(bytes, record);
    }

    /** Writes a date given as days since 1970-01-01. Allocates nothing. */
    public void putEpochDay(byte[] bytes, int record, long epochDay) {
        writeNumber(bytes, record, epochDay);
    }

    /** Returns the date. */
    public LocalDate get(byte[] bytes, int record) {
        return LocalDate.ofEpochDay(checkedRaw(bytes, record));
    }

    /** Writes a date. */
    public void put(byte[] bytes, int record, LocalDate value) {
        writeNumber(bytes, record, value.toEpochDay());
    }

    @Override
    String show(long number, boolean unsigned) {
        boolean isDay = number >= LocalDate.MIN.toEpochDay() && number <= LocalDate.MAX.toEpochDay();
        return isDay ? LocalDate.ofEpochDay(number).toString() : super.show(number, unsigned);
    }

    @Override
    Object decode(byte[] bytes, int record) {
        return get(bytes, record);
    }

    @Override
    void encode(byte[] bytes, int record, Object value) {
        if (!(value instanceof LocalDate day)) {
            throw refuseType(value, "a LocalDate");
        }
        put(bytes, record, day);
    }

    @Override
    String format(byte[] bytes, int record) {
        LocalDate day = get(bytes, record);
        String text = formatter.format(day);
        if (!(fourDigits && day.getYear() > 0) && !restores(text, day)) {
            throw refuse(day, "The format " + field().format() + " can't show this date.");
        }
        return text;
    }

    private boolean restores(String text, LocalDate day) {
        try {
            return day.equals(LocalDate.parse(text, formatter));
        } catch (DateTimeException _) {
            return false;
        }
    }

    @Override
    void parse(byte[] bytes, int record, String text) {
        LocalDate day;
        try {
            day = LocalDate.parse(text, formatter);
        } catch (DateTimeException _) {
            String format = field().format();
            throw refuse(text, "Use a date of the form " + (format == null ? "yyyy-MM-dd" : format) + ".");
        }
        put(bytes, record, day);
    }
}
