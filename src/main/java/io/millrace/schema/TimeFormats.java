package io.millrace.schema;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.Locale;

/** Formatters for the patterns of date and instant fields. Stateless. */
public final class TimeFormats {

    private TimeFormats() {}

    /**
     * A formatter that takes only days that exist: the default way of resolving would turn 31/02 into the 28th. Being
     * strict, it would miss the era that goes with {@code y}, so it is given. Times are in UTC.
     *
     * @throws IllegalArgumentException if it is no pattern
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
