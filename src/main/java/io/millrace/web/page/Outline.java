package io.millrace.web.page;

import io.millrace.codec.file.FileErrors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Shapes below the places of a map: GeoJSON (RFC 7946), a FeatureCollection of polygons and lines whose property
 * {@code kind} is {@code land}, {@code water} or {@code district}, and of points of kind {@code sea} with a name. Other
 * shapes are drawn as lines. Immutable.
 */
public final class Outline {

    private static final String CLASS_PATH = "classpath:";
    private static final int BYTES_MAX = 5_000_000;

    private final byte[] json;

    private Outline(byte[] json) {
        this.json = json;
    }

    /**
     * Reads an outline.
     *
     * @param file path; with the prefix {@code classpath:} a resource in the jar
     * @throws IllegalArgumentException if the file can't be read or is not an outline; the message is for users
     */
    public static Outline read(String file) {
        try (InputStream in = open(file)) {
            byte[] json = in.readNBytes(BYTES_MAX + 1);
            if (json.length > BYTES_MAX) {
                throw new IllegalArgumentException(
                        "File '" + file + "' is too large. Use at most " + BYTES_MAX + " bytes.");
            }
            JsonNode features = JsonMapper.shared().readTree(json).path("features");
            if (!features.isArray()) {
                throw new IllegalArgumentException("File '" + file + "' is not GeoJSON. Use a FeatureCollection.");
            }
            return new Outline(json);
        } catch (IOException e) {
            throw new IllegalArgumentException(FileErrors.describe(file, e), e);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "File '" + file + "' is not valid JSON. Use GeoJSON, a FeatureCollection.", e);
        }
    }

    private static InputStream open(String file) throws IOException {
        if (!file.startsWith(CLASS_PATH)) {
            return Files.newInputStream(Path.of(file));
        }
        InputStream in = Outline.class.getResourceAsStream("/" + file.substring(CLASS_PATH.length()));
        if (in == null) {
            throw new NoSuchFileException(file);
        }
        return in;
    }

    /** Returns a copy of the GeoJSON. */
    byte[] json() {
        return json.clone();
    }
}
