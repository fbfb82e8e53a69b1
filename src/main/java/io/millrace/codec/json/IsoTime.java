package io.millrace.codec.json;

import java.time.LocalDate;
import java.time.YearMonth;
import java.util.concurrent.TimeUnit;

/**
 * Reads and writes dates and instants of the years 0 to 9999 in their usual form of ISO 8601, as bytes. Immutable; no
 * method but the constructor allocates.
 */
final class IsoTime {

    /** Length of a date such as {@code 2026-01-31}. */
    static final int DATE_BYTES = 10;

    /** Result for a text of another form. */
    static final long NONE = Long.MIN_VALUE;

    private static final int SECONDS_BYTES = DATE_BYTES + 10;
    private static final int MAX_DECIMALS = 9;
    private static final long SECONDS_PER_DAY = 86_400;
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final long MIN_DAY = LocalDate.of(0, 1, 1).toEpochDay();
    private static final long MAX_DAY = LocalDate.of(9999, 12, 31).toEpochDay();

    private final long unitsPerSecond;
    private final long nanosPerUnit;

    /** @param unit unit of the numbers that instants are stored as */
    IsoTime(TimeUnit unit) {
        unitsPerSecond = unit.convert(1, TimeUnit.SECONDS);
        nanosPerUnit = NANOS_PER_SECOND / unitsPerSecond;
    }

    /**
     * Returns the days from 1970-01-01 to the date in the {@value #DATE_BYTES} bytes at an offset, or {@link #NONE}.
     */
    static long epochDay(byte[] bytes, int at) {
        int century = twoDigits(bytes, at);
        int yearOfCentury = twoDigits(bytes, at + 2);
        int month = twoDigits(bytes, at + 5);
        int day = twoDigits(bytes, at + 8);
        if ((century | yearOfCentury | month | day) < 0 || bytes[at + 4] != '-' || bytes[at + 7] != '-') {
            return NONE;
        }
        int year = century * 100 + yearOfCentury;
        boolean exists = month >= 1
                && month <= 12
                && day >= 1
                && (day <= 28 || day <= YearMonth.of(year, month).lengthOfMonth());
        return exists ? LocalDate.of(year, month, day).toEpochDay() : NONE;
    }

    /** Returns the units from 1970-01-01 to an instant such as {@code 2026-01-31T09:30:00.5Z}, or {@link #NONE}. */
    long units(byte[] bytes, int at, int length) {
        if (length < SECONDS_BYTES || bytes[at + DATE_BYTES] != 'T' || bytes[at + length - 1] != 'Z') {
            return NONE;
        }
        long day = epochDay(bytes, at);
        int hour = twoDigits(bytes, at + 11);
        int minute = twoDigits(bytes, at + 14);
        int second = twoDigits(bytes, at + 17);
        boolean valid =
                day != NONE && hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second < 60;
        if (!valid || bytes[at + 13] != ':' || bytes[at + 16] != ':') {
            return NONE;
        }
        long nanos = length == SECONDS_BYTES ? 0 : nanos(bytes, at + SECONDS_BYTES - 1, at + length - 1);
        if (nanos < 0 || nanos % nanosPerUnit != 0) {
            return NONE;
        }
        long seconds = day * SECONDS_PER_DAY + hour * 3600L + minute * 60L + second;
        // Nanoseconds of a long end in 2262.
        if (Math.abs(seconds) > Long.MAX_VALUE / unitsPerSecond - 1) {
            return NONE;
        }
        return seconds * unitsPerSecond + nanos / nanosPerUnit;
    }

    /** Returns the nanoseconds of a point and up to nine digits, or -1. */
    private static long nanos(byte[] bytes, int point, int end) {
        int count = end - point - 1;
        if (bytes[point] != '.' || count < 1 || count > MAX_DECIMALS) {
            return -1;
        }
        long value = 0;
        for (int i = 1; i <= MAX_DECIMALS; i++) {
            int digit = i <= count ? bytes[point + i] - '0' : 0;
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    private static int twoDigits(byte[] bytes, int at) {
        int tens = bytes[at] - '0';
        int ones = bytes[at + 1] - '0';
        return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
    }

    /** Writes a date in quotes. Returns false, and writes nothing, if its year has not four digits. */
    static boolean writeDay(long epochDay, JsonBuffer json) {
        if (epochDay < MIN_DAY || epochDay > MAX_DAY) {
            return false;
        }
        json.put('"');
        day(epochDay, json);
        json.put('"');
        return true;
    }

    private static void day(long epochDay, JsonBuffer json) {
        LocalDate day = LocalDate.ofEpochDay(epochDay);
        json.date(day.getYear(), day.getMonthValue(), day.getDayOfMonth());
    }

    /** Writes an instant in quotes. Returns false, and writes nothing, if its year has not four digits. */
    boolean writeUnits(long units, JsonBuffer json) {
        long seconds = Math.floorDiv(units, unitsPerSecond);
        long epochDay = Math.floorDiv(seconds, SECONDS_PER_DAY);
        if (epochDay < MIN_DAY || epochDay > MAX_DAY) {
            return false;
        }
        int secondOfDay = (int) Math.floorMod(seconds, SECONDS_PER_DAY);
        json.put('"');
        day(epochDay, json);
        json.time(secondOfDay);
        decimals(Math.floorMod(units, unitsPerSecond) * nanosPerUnit, json);
        json.put('Z');
        json.put('"');
        return true;
    }

    /** Writes no, three, six or nine decimals, as {@link java.time.Instant#toString} does. */
    private static void decimals(long nanos, JsonBuffer json) {
        if (nanos == 0) {
            return;
        }
        json.put('.');
        if (nanos % 1_000_000 == 0) {
            json.padded(nanos / 1_000_000, 3);
        } else if (nanos % 1000 == 0) {
            json.padded(nanos / 1000, 6);
        } else {
            json.padded(nanos, 9);
        }
    }
}
