package io.millrace.expression.runtime;

import java.time.Instant;
import java.time.LocalDate;

/**
 * Calculations on dates and instants as longs, called by generated code, with the results of {@link LocalDate} and
 * {@link Instant} over their whole ranges. Stateless; allocates nothing. Throws {@link RecordException} for values
 * outside those ranges.
 *
 * <p>The conversions between days and dates are those of Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms"
 * ({@code civil_from_days}, {@code days_from_civil}): the year begins in March, so that the leap day is its last, and
 * the calendar repeats after eras of 400 years, which are 146,097 days.
 */
public final class CalendarMath {

    private static final long FIRST_DAY = LocalDate.MIN.toEpochDay();
    private static final long LAST_DAY = LocalDate.MAX.toEpochDay();
    private static final long FIRST_SECOND = Instant.MIN.getEpochSecond();
    private static final long LAST_SECOND = Instant.MAX.getEpochSecond();

    private static final int ERA_YEARS = 400;
    private static final int ERA_DAYS = 146_097;

    /** Days from 0000-03-01, the first day of an era, to 1970-01-01. */
    private static final long EPOCH_IN_ERAS = 719_468;

    private static final int MONTHS = 12;
    private static final long DAYS_OF_WEEK = 7;

    private CalendarMath() {}

    /** Returns the year of a day. */
    public static long year(long day) {
        return civilYear(civil(day));
    }

    /** Returns the month of a day, from 1. */
    public static long month(long day) {
        return civilMonth(civil(day));
    }

    /** Returns the day of its month, from 1. */
    public static long dayOfMonth(long day) {
        return civilDay(civil(day));
    }

    /** Returns the day of its year, from 1. */
    public static long dayOfYear(long day) {
        return day - dayOf(year(day), 1, 1) + 1;
    }

    /** Returns the day of its week: 1 for Monday. */
    public static long dayOfWeek(long day) {
        // 1970-01-01 was a Thursday.
        return Math.floorMod(inRange(day) + 3, DAYS_OF_WEEK) + 1;
    }

    /** Returns 1 if a day is in a leap year, otherwise 0. */
    public static long leapYear(long day) {
        return isLeap(year(day)) ? 1 : 0;
    }

    /** Returns the number of days of the month of a day. */
    public static long lengthOfMonth(long day) {
        long civil = civil(day);
        return lengthOfMonth(civilYear(civil), civilMonth(civil));
    }

    /** Adds days. */
    public static long plusDays(long day, long days) {
        return inRange(Math.addExact(inRange(day), days));
    }

    /** Adds months; past the end of a month, the result is its last day. */
    public static long plusMonths(long day, long months) {
        long civil = civil(day);
        long sum = Math.addExact(civilYear(civil) * MONTHS + civilMonth(civil) - 1, months);
        return dayOrLast(Math.floorDiv(sum, MONTHS), Math.floorMod(sum, MONTHS) + 1, civilDay(civil));
    }

    /** Adds years; past the end of a month, the result is its last day. */
    public static long plusYears(long day, long years) {
        long civil = civil(day);
        return dayOrLast(Math.addExact(civilYear(civil), years), civilMonth(civil), civilDay(civil));
    }

    /** Returns the day of this number in the same month. */
    public static long withDayOfMonth(long day, long dayOfMonth) {
        long civil = civil(day);
        if (dayOfMonth < 1 || dayOfMonth > lengthOfMonth(civilYear(civil), civilMonth(civil))) {
            throw RecordException.noDate("day " + dayOfMonth + " of month " + civilMonth(civil));
        }
        return day - civilDay(civil) + dayOfMonth;
    }

    /** Returns the day of an instant. */
    public static long dayOfMoment(long moment, long unitsPerDay) {
        return inRange(Math.floorDiv(moment, unitsPerDay));
    }

    /** Adds seconds to the second of an instant. */
    public static long plusSeconds(long moment, long seconds) {
        long sum = Math.addExact(moment, seconds);
        if (sum < FIRST_SECOND || sum > LAST_SECOND) {
            throw RecordException.noInstant("second " + sum);
        }
        return sum;
    }

    /** Returns the number of whole units of a size, rounded down. */
    public static long floorDiv(long units, long size) {
        return Math.floorDiv(units, size);
    }

    /** Returns the rest beyond whole units of a size, from 0. */
    public static long floorMod(long units, long size) {
        return Math.floorMod(units, size);
    }

    private static long inRange(long day) {
        if (day < FIRST_DAY || day > LAST_DAY) {
            throw RecordException.noDate("day " + day);
        }
        return day;
    }

    /** Returns year, month and day of the month of a day, packed into one long. */
    private static long civil(long day) {
        long shifted = inRange(day) + EPOCH_IN_ERAS;
        long era = Math.floorDiv(shifted, ERA_DAYS);
        int dayOfEra = (int) (shifted - era * ERA_DAYS);
        int yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        // From March on, months have 31, 30, 31, 30 and 31 days, then again: 153 days for five of them.
        int marchMonth = (5 * dayOfYear + 2) / 153;
        int dayOfMonth = dayOfYear - (153 * marchMonth + 2) / 5 + 1;
        int month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
        long year = era * ERA_YEARS + yearOfEra + (month <= 2 ? 1 : 0);
        return year << 9 | (long) month << 5 | dayOfMonth;
    }

    private static long civilYear(long civil) {
        return civil >> 9;
    }

    private static int civilMonth(long civil) {
        return (int) (civil >> 5) & 0xF;
    }

    private static int civilDay(long civil) {
        return (int) civil & 0x1F;
    }

    /** Returns the day of a date of which only the year may be out of range. */
    private static long dayOf(long year, int month, int dayOfMonth) {
        long marchYear = month <= 2 ? year - 1 : year;
        long era = Math.floorDiv(marchYear, ERA_YEARS);
        int yearOfEra = (int) (marchYear - era * ERA_YEARS);
        int dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + dayOfMonth - 1;
        int dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
        return era * ERA_DAYS + dayOfEra - EPOCH_IN_ERAS;
    }

    private static long dayOrLast(long year, int month, int dayOfMonth) {
        if (year < LocalDate.MIN.getYear() || year > LocalDate.MAX.getYear()) {
            throw RecordException.noDate("year " + year);
        }
        return dayOf(year, month, Math.min(dayOfMonth, lengthOfMonth(year, month)));
    }

    private static int lengthOfMonth(long year, int month) {
        if (month == 2) {
            return isLeap(year) ? 29 : 28;
        }
        // 31 days in the odd months up to July, then in the even ones.
        return 30 + ((month + (month >> 3)) & 1);
    }

    private static boolean isLeap(long year) {
        return (year & 3) == 0 && (year % 100 != 0 || year % ERA_YEARS == 0);
    }
}
