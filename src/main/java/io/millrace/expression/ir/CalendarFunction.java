package io.millrace.expression.ir;

/** What is computed of days and moments, all of them longs. */
public enum CalendarFunction {
    /** The year of a day. */
    YEAR("year"),
    /** The month of a day, 1 for January. */
    MONTH("month"),
    /** The day of its month, from 1. */
    DAY_OF_MONTH("dayOfMonth"),
    /** The day of its year, from 1. */
    DAY_OF_YEAR("dayOfYear"),
    /** The day of its week, 1 for Monday. */
    DAY_OF_WEEK("dayOfWeek"),
    /** Whether the year of a day is a leap year, as 0 or 1. */
    LEAP_YEAR("leapYear"),
    /** How many days the month of a day has. */
    LENGTH_OF_MONTH("lengthOfMonth"),
    /** The day so many days later. */
    PLUS_DAYS("plusDays"),
    /** The day so many months later, or the last of that month where it is shorter. */
    PLUS_MONTHS("plusMonths"),
    /** The day so many years later, or the last of that month where it is shorter. */
    PLUS_YEARS("plusYears"),
    /** Another day of the same month. */
    WITH_DAY_OF_MONTH("withDayOfMonth"),
    /** The day, in UTC, of a moment that counts units of which so many make a day. */
    DAY_OF_MOMENT("dayOfMoment"),
    /** The moment so many seconds later, both counted in seconds. */
    PLUS_SECONDS("plusSeconds"),
    /** The quotient of two longs, rounded down. */
    FLOOR_DIV("floorDiv"),
    /** What is left of such a division, never negative. */
    FLOOR_MOD("floorMod");

    private final String method;

    CalendarFunction(String method) {
        this.method = method;
    }

    /** The name of the method that computes it. */
    public String method() {
        return method;
    }
}
