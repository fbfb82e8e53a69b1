package io.millrace.codec.file;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Describes why a file can't be read or written. Stateless. */
public final class FileErrors {

    private FileErrors() {}

    /** Describes an error that an access to a file ended with, and what to do. */
    public static String describe(String file, UncheckedIOException e) {
        return e.getCause() == null ? String.valueOf(e.getMessage()) : describe(file, e.getCause());
    }

    /** Describes an error that an access to a file ended with, and what to do. */
    public static String describe(String file, IOException e) {
        String named = e instanceof FileSystemException system && system.getFile() != null ? system.getFile() : file;
        if (e instanceof AccessDeniedException) {
            return "No permission to access '" + named + "'. Check the owner and mode of the file and its folders.";
        }
        if (e instanceof NoSuchFileException || e instanceof FileNotFoundException) {
            return notFound(named);
        }
        if (e instanceof FileAlreadyExistsException) {
            return "'" + named + "' is a file. Name a folder.";
        }
        if (named.isEmpty()) {
            return String.valueOf(e.getMessage());
        }
        return Files.isDirectory(Path.of(named))
                ? "'" + named + "' is a folder. Name a file."
                : "Cannot access '" + named + "': " + e.getMessage();
    }

    /** Returns why a path is not that of a file that can be read; null where it is. */
    public static @Nullable String refusal(Path file) {
        if (Files.isRegularFile(file) && Files.isReadable(file)) {
            return null;
        }
        return describe(
                file.toString(),
                Files.isDirectory(file)
                        ? new IOException("The file is a folder.")
                        : Files.exists(file)
                                ? new AccessDeniedException(file.toString())
                                : new NoSuchFileException(file.toString()));
    }

    /**
     * Returns why no files can be written to a folder, which need not exist yet; null where they can be. Creates
     * nothing.
     */
    public static @Nullable String folderRefusal(Path folder) {
        Path existing = folder.toAbsolutePath();
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        if (Files.exists(existing) && !Files.isDirectory(existing)) {
            return describe(existing.toString(), new FileAlreadyExistsException(existing.toString()));
        }
        return Files.isWritable(existing) && Files.isExecutable(existing)
                ? null
                : describe(existing.toString(), new AccessDeniedException(existing.toString()));
    }

    private static String notFound(String file) {
        if (file.contains("${")) {
            return "Undefined variable in '" + file + "'. Set the variable, or write a default, such as ${NAME:FILE}.";
        }
        Path path = Path.of(file);
        return "File not found: '" + file + "'."
                + (path.isAbsolute() || file.startsWith("classpath:")
                        ? ""
                        : " It was looked up as '" + path.toAbsolutePath() + "'.");
    }
}
