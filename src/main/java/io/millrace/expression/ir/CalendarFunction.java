package io.millrace.expression.ir;

/** Functions of dates and instants, all of which are longs. */
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
    /** The number of days in the month of a day. */
    LENGTH_OF_MONTH("lengthOfMonth"),
    /** The day a number of days later. */
    PLUS_DAYS("plusDays"),
    /** The day a number of months later, or the last day of that month if it is shorter. */
    PLUS_MONTHS("plusMonths"),
    /** The day a number of years later, or the last day of that month if it is shorter. */
    PLUS_YEARS("plusYears"),
    /** The day of the same month with another number. */
    WITH_DAY_OF_MONTH("withDayOfMonth"),
    /** The day, in UTC, of an instant. The second operand is the number of the instant's units in a day. */
    DAY_OF_MOMENT("dayOfMoment"),
    /** The instant a number of seconds later, both in seconds. */
    PLUS_SECONDS("plusSeconds"),
    /** The quotient of two longs, rounded down. */
    FLOOR_DIV("floorDiv"),
    /** The remainder of such a division, never negative. */
    FLOOR_MOD("floorMod");

    private final String method;

    CalendarFunction(String method) {
        this.method = method;
    }

    /** Returns the name of the method that computes the function. */
    public String method() {
        return method;
    }
}
