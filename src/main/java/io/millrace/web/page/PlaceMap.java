package io.millrace.web.page;

import io.millrace.table.Table;
import org.jspecify.annotations.Nullable;

/**
 * A map of what a measure tells of places, checked: all names are known.
 *
 * @param title for people
 * @param measure whose closed windows are shown
 * @param pipeline that it belongs to
 * @param key field of the measure's rows that tells places apart, and is the table's key
 * @param table where the places are
 * @param latitude field of the table, degrees
 * @param longitude field of the table, degrees
 * @param label field of the table that says what a place belongs to; null for nothing
 * @param size value of the measure that is a circle's area
 * @param colour value of the measure that is a circle's colour
 * @param low the value with the first colour, and all below
 * @param high the value with the last colour, and all above
 * @param alert of the measure, marked where it stands; null for none
 * @param outline drawn below; null for nothing
 */
public record PlaceMap(
        String title,
        String measure,
        String pipeline,
        String key,
        Table table,
        String latitude,
        String longitude,
        @Nullable String label,
        String size,
        String colour,
        double low,
        double high,
        @Nullable String alert,
        @Nullable Outline outline) {}
