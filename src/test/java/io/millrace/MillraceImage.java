package io.millrace;

import java.nio.file.Path;
import org.testcontainers.images.builder.ImageFromDockerfile;

/** The project's own image, built once from its Dockerfile and the distribution. */
public final class MillraceImage {

    private static final String BUILT = new ImageFromDockerfile("millrace-it", false)
            .withFileFromPath("Dockerfile", Path.of("Dockerfile"))
            .withFileFromPath("target/millrace-it.tar.gz", archive())
            .get();

    private MillraceImage() {}

    private static Path archive() {
        Path home = Path.of(System.getProperty("millrace.home"));
        return Path.of("target", home.getFileName() + ".tar.gz");
    }

    /** Its name, once it is built. */
    public static String name() {
        return BUILT;
    }
}
