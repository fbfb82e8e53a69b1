package io.millrace;

import java.nio.file.Path;
import org.testcontainers.images.builder.ImageFromDockerfile;

/** The project's own image, built once from its Dockerfile and the packaged jar. */
public final class MillraceImage {

    private static final String BUILT = new ImageFromDockerfile("millrace-it", false)
            .withFileFromPath("Dockerfile", Path.of("Dockerfile"))
            .withFileFromPath("target/millrace.jar", Path.of("target/millrace.jar"))
            .get();

    private MillraceImage() {}

    /** Its name, once it is built. */
    public static String name() {
        return BUILT;
    }
}
