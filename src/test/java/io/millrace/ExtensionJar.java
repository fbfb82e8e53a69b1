package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/** Builds the jar of an extension: compiled sources, and the names of its services. */
final class ExtensionJar {

    private ExtensionJar() {}

    /**
     * Compiles sources and writes a jar.
     *
     * @param sources folder of the sources
     * @param services names of classes by the name of the service that they implement
     */
    static void write(Path jar, Path sources, Map<Class<?>, String> services) throws IOException {
        Path classes = Files.createTempDirectory(jar.toAbsolutePath().getParent(), "classes");
        assertThat(ToolProvider.findFirst("javac")
                        .orElseThrow()
                        .run(System.out, System.err, arguments(sources, classes)))
                .isZero();
        Path registered = Files.createDirectories(classes.resolve("META-INF/services"));
        for (Map.Entry<Class<?>, String> service : services.entrySet()) {
            Files.writeString(registered.resolve(service.getKey().getName()), service.getValue() + "\n");
        }
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Path file : files(classes)) {
                out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                Files.copy(file, out);
            }
        }
    }

    private static String[] arguments(Path sources, Path classes) throws IOException {
        return Stream.concat(
                        Stream.of(
                                "-proc:none",
                                "-nowarn",
                                "-parameters",
                                "-d",
                                classes.toString(),
                                "-cp",
                                System.getProperty("java.class.path")),
                        files(sources).stream().map(Path::toString).filter(name -> name.endsWith(".java")))
                .toArray(String[]::new);
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }
}
