package io.millrace.expression.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Random;
import java.util.function.LongSupplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** Against java.time, over its whole range. */
class CalendarMathTest {

    private static final long MIN = -365_243_219_162L;
    private static final long MAX = 365_241_780_471L;
    private static final long CENTURIES = 40 * 36_525;

    private static void partsAgree(long day) {
        LocalDate date = LocalDate.ofEpochDay(day);
        assertThat(CalendarMath.year(day)).as("year of %s", date).isEqualTo(date.getYear());
        assertThat(CalendarMath.month(day)).as("month of %s", date).isEqualTo(date.getMonthValue());
        assertThat(CalendarMath.dayOfMonth(day)).as("day of %s", date).isEqualTo(date.getDayOfMonth());
        assertThat(CalendarMath.dayOfYear(day)).as("day of year of %s", date).isEqualTo(date.getDayOfYear());
        assertThat(CalendarMath.dayOfWeek(day))
                .as("day of week of %s", date)
                .isEqualTo(date.getDayOfWeek().getValue());
        assertThat(CalendarMath.leapYear(day)).as("leap year of %s", date).isEqualTo(date.isLeapYear() ? 1 : 0);
        assertThat(CalendarMath.lengthOfMonth(day)).as("month of %s", date).isEqualTo(date.lengthOfMonth());
    }

    private static void agrees(String what, LongSupplier ours, LongSupplier theirs) {
        Long expected;
        try {
            expected = theirs.getAsLong();
        } catch (DateTimeException | ArithmeticException e) {
            expected = null;
        }
        Long result;
        try {
            result = ours.getAsLong();
        } catch (RecordException | ArithmeticException e) {
            result = null;
        }
        assertThat(result).as(what).isEqualTo(expected);
    }

    private static void shiftsAgree(long day, long by) {
        LocalDate date = LocalDate.ofEpochDay(day);
        String what = date + " and " + by;
        agrees(
                what,
                () -> CalendarMath.plusDays(day, by),
                () -> date.plusDays(by).toEpochDay());
        agrees(
                what,
                () -> CalendarMath.plusMonths(day, by),
                () -> date.plusMonths(by).toEpochDay());
        agrees(
                what,
                () -> CalendarMath.plusYears(day, by),
                () -> date.plusYears(by).toEpochDay());
        agrees(
                what,
                () -> CalendarMath.withDayOfMonth(day, by),
                () -> date.withDayOfMonth(Math.toIntExact(by)).toEpochDay());
    }

    @Test
    void shouldTakeEveryDayOfFourThousandYearsApart() {
        for (long day = -CENTURIES / 2; day < CENTURIES / 2; day++) {
            LocalDate date = LocalDate.ofEpochDay(day);
            if (CalendarMath.year(day) != date.getYear()
                    || CalendarMath.month(day) != date.getMonthValue()
                    || CalendarMath.dayOfMonth(day) != date.getDayOfMonth()
                    || CalendarMath.dayOfYear(day) != date.getDayOfYear()
                    || CalendarMath.lengthOfMonth(day) != date.lengthOfMonth()) {
                partsAgree(day);
            }
        }
    }

    @Property(tries = 5000, seed = "20261126")
    void shouldTakeAnyDayApart(@ForAll @LongRange(min = MIN, max = MAX) long day) {
        partsAgree(day);
    }

    @Property(tries = 2000, seed = "20261126")
    void shouldShiftAnyDay(@ForAll @LongRange(min = MIN, max = MAX) long day, @ForAll long by) {
        Random random = new Random(by);
        for (int bits : new int[] {5, 13, 40, 64}) {
            shiftsAgree(day, random.nextLong() >> (64 - bits));
            shiftsAgree(random.nextInt(40_000) - 10_000, random.nextLong() >> (64 - bits));
        }
    }

    @Test
    void shouldEndWhereDatesEnd() {
        assertThat(LocalDate.MIN.toEpochDay()).isEqualTo(MIN);
        assertThat(LocalDate.MAX.toEpochDay()).isEqualTo(MAX);
        partsAgree(MIN);
        partsAgree(MAX);
        for (long by : new long[] {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            shiftsAgree(MIN, by);
            shiftsAgree(MAX, by);
            shiftsAgree(0, by);
        }
        assertThatThrownBy(() -> CalendarMath.year(MAX + 1)).hasMessage("day 365241780472 is no date");
        assertThatThrownBy(() -> CalendarMath.dayOfWeek(MIN - 1)).isInstanceOf(RecordException.class);
        assertThatThrownBy(() -> CalendarMath.plusYears(0, 2_000_000_000)).hasMessage("year 2000001970 is no date");
        assertThatThrownBy(() -> CalendarMath.withDayOfMonth(58, 29)).hasMessage("day 29 of month 2 is no date");
    }

    @Property(seed = "20261126")
    void shouldFindTheDayAndTimeOfAMoment(@ForAll long milli) {
        var time = Instant.ofEpochMilli(milli).atOffset(ZoneOffset.UTC);
        assertThat(CalendarMath.dayOfMoment(milli, 86_400_000))
                .isEqualTo(time.toLocalDate().toEpochDay());
        assertThat(CalendarMath.floorMod(milli, 86_400_000) / 3_600_000).isEqualTo(time.getHour());
        assertThat(CalendarMath.floorDiv(milli, 1000)).isEqualTo(time.toEpochSecond());
    }

    @Test
    void shouldEndWhereInstantsEnd() {
        long last = Instant.MAX.getEpochSecond();
        long first = Instant.MIN.getEpochSecond();
        assertThat(CalendarMath.plusSeconds(last - 1, 1)).isEqualTo(last);
        assertThat(CalendarMath.plusSeconds(first, 0)).isEqualTo(first);
        assertThatThrownBy(() -> CalendarMath.plusSeconds(last, 1))
                .hasMessage("second " + (last + 1) + " is no instant");
        assertThatThrownBy(() -> CalendarMath.plusSeconds(first, -1)).isInstanceOf(RecordException.class);
        assertThatThrownBy(() -> CalendarMath.dayOfMoment(last, 86_400)).isInstanceOf(RecordException.class);
    }
}
