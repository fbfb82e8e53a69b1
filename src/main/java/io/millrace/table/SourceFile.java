package io.millrace.table;

import io.millrace.hash.KeyHash;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * The file that a table's rows come from.
 *
 * @param name path; with the prefix {@code classpath:} a resource in the jar
 * @param watch wraps the stream each time that the file is read; not used for resources
 */
record SourceFile(String name, UnaryOperator<InputStream> watch) {

    private static final String CLASS_PATH = "classpath:";

    SourceFile(String name) {
        this(name, UnaryOperator.identity());
    }

    private boolean isInJar() {
        return name.startsWith(CLASS_PATH);
    }

    /**
     * Returns whether the name has an ending, in any case.
     *
     * @param ending in lower case
     */
    boolean endsIn(String ending) {
        return name.toLowerCase(Locale.ROOT).endsWith(ending);
    }

    Path path() {
        return Path.of(name);
    }

    InputStream open() throws IOException {
        return isInJar() ? openUnwatched() : watch.apply(openUnwatched());
    }

    /** Opens the file to check what it contains. */
    InputStream openUnwatched() throws IOException {
        if (!isInJar()) {
            return Files.newInputStream(path());
        }
        InputStream in = SourceFile.class.getResourceAsStream("/" + name.substring(CLASS_PATH.length()));
        if (in == null) {
            throw new NoSuchFileException(name);
        }
        return in;
    }

    /** Returns a hash of the file's size and modification time, which changes when the file does. */
    long stamp() throws IOException {
        return isInJar()
                ? 0
                : KeyHash.of(Files.size(path())
                        + KeyHash.of(Files.getLastModifiedTime(path()).toMillis()));
    }
}
