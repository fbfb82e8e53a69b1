package io.millrace.bench;

import io.millrace.view.RecordViews;
import io.millrace.view.source.SourceFiles;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import javax.tools.ToolProvider;

/** The class that {@code model sources} generates for the schema of a trade, compiled and loaded. */
final class GeneratedViews {

    private static final String PACKAGE = "generated";

    private GeneratedViews() {}

    /** Returns the field {@code VIEWS} of the generated class. Its class loader is that of the type of the views. */
    static RecordViews<?> ofTrade(Path schema) throws IOException {
        Path folder = Files.createTempDirectory(PACKAGE);
        SourceFiles.write(List.of(schema), PACKAGE, SourceFiles.Types.CLASS, List.of(), folder);
        Path sources = folder.resolve(PACKAGE);
        String[] arguments = {
            "-proc:none",
            "-cp",
            System.getProperty("java.class.path"),
            "-d",
            folder.toString(),
            sources.resolve("Trade.java").toString(),
            sources.resolve("BinaryTrade.java").toString()
        };
        if (ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments) != 0) {
            throw new IllegalStateException("the generated sources have errors");
        }
        // Not closed: classes are loaded as long as the benchmark runs.
        URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, GeneratedViews.class.getClassLoader());
        try {
            Object views =
                    loader.loadClass(PACKAGE + ".BinaryTrade").getField("VIEWS").get(null);
            return (RecordViews<?>) Objects.requireNonNull(views);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
