package io.millrace.schema;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;

/** Creates formatters for the patterns of date and instant fields. Stateless. */
public final class TimeFormats {

    private TimeFormats() {}

    /**
     * Returns the instant of a text.
     *
     * @throws DateTimeException if the text does not have the format, or is a leap second: instants have none, so that
     *     it would become the second before
     */
    public static Instant instant(DateTimeFormatter formatter, String text) {
        TemporalAccessor parsed = formatter.parse(text);
        if (parsed.query(DateTimeFormatter.parsedLeapSecond())) {
            throw new DateTimeException("Invalid second '60' in '" + text + "'.");
        }
        return Instant.from(parsed);
    }

    /**
     * Returns a formatter in UTC that accepts only dates that exist. The default resolver style would change 31/02 to
     * the 28th. The strict style requires an era for {@code y}, which is set to the current one.
     *
     * @throws IllegalArgumentException if the pattern is invalid
     */
    public static DateTimeFormatter strict(String pattern) {
        DateTimeFormatterBuilder builder = new DateTimeFormatterBuilder().appendPattern(pattern);
        if (pattern.indexOf('y') >= 0 && pattern.indexOf('G') < 0) {
            builder.parseDefaulting(ChronoField.ERA, 1);
        }
        return builder.toFormatter(Locale.ROOT)
                .withResolverStyle(ResolverStyle.STRICT)
                .withZone(ZoneOffset.UTC);
    }
}
