package io.millrace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.testcontainers.images.builder.ImageFromDockerfile;

/** The project's own image, built once from its Dockerfile and the distribution. */
public final class MillraceImage {

    private static final String BUILT = build();

    private MillraceImage() {}

    /** Builds the image. Waits while another JVM builds it, because then all layers are in the cache. */
    private static String build() {
        try (FileChannel channel = FileChannel.open(
                        Path.of("target", "image.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            return new ImageFromDockerfile("millrace-it", false)
                    .withFileFromPath("Dockerfile", Path.of("Dockerfile"))
                    .withFileFromPath("target/millrace-it.tar.gz", archive())
                    .get();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path archive() {
        Path home = Path.of(System.getProperty("millrace.home"));
        return Path.of("target", home.getFileName() + ".tar.gz");
    }

    /** Its name, once it is built. */
    public static String name() {
        return BUILT;
    }
}
