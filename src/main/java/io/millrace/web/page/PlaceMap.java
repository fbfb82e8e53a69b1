package io.millrace.web.page;

import io.millrace.table.Table;
import org.jspecify.annotations.Nullable;

/**
 * A map of a measure's results by place. All names have been validated.
 *
 * @param title for users
 * @param measure whose closed windows are shown
 * @param pipeline that contains the measure
 * @param key field of the measure's rows that identifies places, and is the table's key
 * @param table contains the places
 * @param latitude field of the table, degrees
 * @param longitude field of the table, degrees
 * @param label field of the table that groups places; null for none
 * @param size value of the measure shown as a circle's area
 * @param colour value of the measure shown as a circle's colour
 * @param low the value with the first colour; lower values have it too
 * @param high the value with the last colour; higher values have it too
 * @param alert of the measure, marked at places where it is raised; null for none
 * @param outline drawn below the places; null for none
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
