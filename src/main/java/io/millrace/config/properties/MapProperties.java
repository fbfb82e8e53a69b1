package io.millrace.config.properties;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the map that shows the groups of a measure as places.
 *
 * @param title heading of the map
 * @param measure measure by one field, which is the key of the places
 * @param table table of the places, with keys of the same type
 * @param latitude field of the table with the latitude in degrees
 * @param longitude field of the table with the longitude in degrees
 * @param label field of the table with the label of a place; no labels without it
 * @param size value of the measure that determines the area of a circle
 * @param colour value of the measure that determines the colour of a circle
 * @param low value with the first colour
 * @param high value with the last colour
 * @param alert alert of the measure that marks places; none by default
 * @param outline GeoJSON file that is drawn below the places; classpath: in front of the name reads a file in the jar
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
