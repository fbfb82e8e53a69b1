package io.millrace.web.page;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.RecordCodec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The map as sent to the page: the names of {@link PlaceMap}, and the current places.
 *
 * @param outline address of the shapes below; null if there are none
 * @param places rows of the table that have both coordinates, at most {@value #PLACES_MAX}
 */
record MapView(
        String title,
        @Nullable String outline,
        String measure,
        String pipeline,
        String key,
        String size,
        String colour,
        double low,
        double high,
        @Nullable String alert,
        @Nullable String label,
        List<Place> places) {

    private static final int PLACES_MAX = 100_000;

    /**
     * A row of the table.
     *
     * @param key as text
     * @param latitude degrees
     * @param longitude degrees
     * @param label the group of places that it belongs to; null if absent
     */
    record Place(
            String key,
            double latitude,
            double longitude,
            @Nullable String label) {}

    static MapView of(PlaceMap map, String outlineAddress) {
        return new MapView(
                map.title(),
                map.outline() == null ? null : outlineAddress,
                map.measure(),
                map.pipeline(),
                map.key(),
                map.size(),
                map.colour(),
                map.low(),
                map.high(),
                map.alert(),
                map.label(),
                places(map));
    }

    private static List<Place> places(PlaceMap map) {
        RecordCodec codec = RecordCodec.of(map.table().schema());
        FieldCodec key = codec.codec(map.table().key().name());
        FieldCodec latitude = codec.codec(map.latitude());
        FieldCodec longitude = codec.codec(map.longitude());
        FieldCodec label = map.label() == null ? null : codec.codec(map.label());
        List<Place> places = new ArrayList<>();
        map.table().forEach(row -> {
            if (latitude.value(row, 0) instanceof Number north && longitude.value(row, 0) instanceof Number east) {
                places.add(new Place(
                        key.text(row, 0),
                        north.doubleValue(),
                        east.doubleValue(),
                        label == null || label.value(row, 0) == null ? null : label.text(row, 0)));
            }
            return places.size() < PLACES_MAX;
        });
        return places;
    }
}
