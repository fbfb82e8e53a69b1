package io.millrace.model.classfile;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A class file that is given as the class of the records.
 *
 * @param name name of the class with its package
 * @param folder folder that contains the folders of the package
 */
public record RootClass(String name, Path folder) {

    /**
     * Reads a class file.
     *
     * @throws IllegalArgumentException if it does not exist, is not a class file, or is not in the folders of its
     *     package
     */
    public static RootClass of(Path file) throws IOException {
        String internal;
        try {
            internal =
                    ClassFile.of().parse(Files.readAllBytes(file)).thisClass().asInternalName();
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("File not found: '" + file + "'. Use a class file.", e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Invalid class file '" + file + "': " + e.getMessage() + ".", e);
        }
        Path absolute = file.toAbsolutePath().normalize();
        Path inPackage = Path.of(internal + ".class");
        if (!absolute.endsWith(inPackage)) {
            throw new IllegalArgumentException("Invalid place of the class file '" + file + "'. It has to be in "
                    + inPackage + ", as its package says.");
        }
        Path root = Objects.requireNonNull(absolute.getRoot());
        int above = absolute.getNameCount() - inPackage.getNameCount();
        return new RootClass(internal.replace('/', '.'), above == 0 ? root : root.resolve(absolute.subpath(0, above)));
    }
}
