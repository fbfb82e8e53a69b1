package io.millrace.feed.generator;

import java.awt.geom.Path2D;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The outline of Istanbul that comes with the map: GeoJSON of land, water and districts. */
final class IstanbulOutline {

    static final String RESOURCE = "/maps/istanbul.json";

    /** By kind and name. */
    private final Map<String, Map<String, Path2D>> shapes = new HashMap<>();

    private IstanbulOutline(JsonNode collection) {
        for (JsonNode feature : collection.get("features")) {
            JsonNode properties = feature.get("properties");
            Map<String, Path2D> ofKind =
                    shapes.computeIfAbsent(properties.get("kind").asString(), ignored -> new HashMap<>());
            ofKind.put(properties.get("name").asString(), path(feature.get("geometry")));
        }
    }

    static IstanbulOutline read() {
        return new IstanbulOutline(JsonMapper.shared()
                .readTree(Objects.requireNonNull(IstanbulOutline.class.getResourceAsStream(RESOURCE))));
    }

    private static Path2D path(JsonNode geometry) {
        Path2D path = new Path2D.Double(Path2D.WIND_EVEN_ODD);
        JsonNode coordinates = geometry.get("coordinates");
        if (geometry.get("type").asString().equals("Polygon")) {
            addPolygon(path, coordinates);
        } else if (geometry.get("type").asString().equals("MultiPolygon")) {
            coordinates.forEach(polygon -> addPolygon(path, polygon));
        }
        return path;
    }

    private static void addPolygon(Path2D path, JsonNode rings) {
        for (JsonNode ring : rings) {
            for (int i = 0; i < ring.size(); i++) {
                double longitude = ring.get(i).get(0).asDouble();
                double latitude = ring.get(i).get(1).asDouble();
                if (i == 0) {
                    path.moveTo(longitude, latitude);
                } else {
                    path.lineTo(longitude, latitude);
                }
            }
            path.closePath();
        }
    }

    /** The shapes of a kind (land, water, district) by name, x being longitude and y latitude in degrees. */
    Map<String, Path2D> shapes(String kind) {
        return shapes.getOrDefault(kind, Map.of());
    }

    /** Whether a place is on land and in that district. */
    boolean holds(String district, double latitude, double longitude) {
        return Objects.requireNonNull(shapes("district").get(district)).contains(longitude, latitude)
                && in("land", latitude, longitude)
                && !in("water", latitude, longitude);
    }

    /** Whether a place is in any shape of a kind. */
    boolean in(String kind, double latitude, double longitude) {
        return shapes(kind).values().stream().anyMatch(shape -> shape.contains(longitude, latitude));
    }
}
