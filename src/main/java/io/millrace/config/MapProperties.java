package io.millrace.config;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Places of a measure on a map.
 *
 * @param title for people
 * @param measure whose groups are places
 * @param table where each place is, under the same key
 * @param latitude field of the table, in degrees
 * @param longitude field of the table, in degrees
 * @param label field of the table that says what a place belongs to
 * @param size value of the measure that is a circle's area
 * @param colour value of the measure that is a circle's colour
 * @param low the value with the first colour
 * @param high the value with the last colour
 * @param alert of the measure, whose places are marked
 * @param outline GeoJSON file of what is drawn below; classpath: before the name for one inside the jar
 */
public record MapProperties(
        @DefaultValue("Map") String title,
        @Nullable String measure,
        @Nullable String table,
        @DefaultValue("latitude") String latitude,
        @DefaultValue("longitude") String longitude,
        @Nullable String label,
        @Nullable String size,
        @Nullable String colour,
        @DefaultValue("0") double low,
        @DefaultValue("1") double high,
        @Nullable String alert,
        @Nullable String outline) {}
