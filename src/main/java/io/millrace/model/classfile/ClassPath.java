package io.millrace.model.classfile;

import io.millrace.codec.javatype.DeclaredType;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** Finds compiled classes in folders and jar files. Classes are read, not loaded. Not thread-safe. */
final class ClassPath implements Closeable {

    private static final String ENDING = ".class";

    private final List<Path> folders = new ArrayList<>();
    private final List<ZipFile> jars = new ArrayList<>();
    private final List<Path> entries;
    private final Map<String, ClassModel> known = new HashMap<>();
    /** The direct subtypes of types, once they are needed. */
    private @Nullable Map<String, List<String>> subtypes;

    /**
     * Opens folders and jar files.
     *
     * @throws IllegalArgumentException if an entry is neither
     */
    ClassPath(List<Path> entries) throws IOException {
        this.entries = List.copyOf(entries);
        try {
            for (Path entry : entries) {
                if (Files.isDirectory(entry)) {
                    folders.add(entry);
                } else {
                    jars.add(jar(entry));
                }
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private static ZipFile jar(Path entry) throws IOException {
        try {
            return new ZipFile(entry.toFile());
        } catch (NoSuchFileException _) {
            throw new IllegalArgumentException("File not found: '" + entry + "'. Use a folder of classes or a jar.");
        } catch (ZipException e) {
            throw new IllegalArgumentException("Invalid jar '" + entry + "'. Use a folder of classes or a jar.", e);
        }
    }

    /** Returns the entries for messages. */
    List<Path> entries() {
        return entries;
    }

    /**
     * Returns a class, or null if no entry contains it.
     *
     * @param name internal name, such as {@code com/example/Swap$Leg}
     * @throws IllegalArgumentException if the file is not a class file that this JDK reads
     */
    @Nullable
    ClassModel find(String name) {
        ClassModel model = known.get(name);
        if (model == null) {
            byte[] bytes = bytes(name + ENDING);
            if (bytes == null) {
                return null;
            }
            try {
                model = ClassFile.of().parse(bytes);
                known.put(name, model);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("Invalid class file of " + name + ": " + e.getMessage() + ".", e);
            }
        }
        return model;
    }

    /** Returns an enum of the JDK, such as {@code java/time/DayOfWeek}, or null if the name is not that of one. */
    @Nullable
    ClassModel findPlatformEnum(String name) {
        ClassModel model = findPlatform(name);
        return model != null && model.flags().has(AccessFlag.ENUM) ? model : null;
    }

    /** Returns a class of an entry or of the JDK, or null. */
    @Nullable
    ClassModel findAny(String name) {
        ClassModel model = find(name);
        return model == null ? findPlatform(name) : model;
    }

    private static @Nullable ClassModel findPlatform(String name) {
        if (!name.startsWith("java/")) {
            return null;
        }
        try (InputStream in = ClassLoader.getPlatformClassLoader().getResourceAsStream(name + ENDING)) {
            return in == null ? null : ClassFile.of().parse(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the classes that extend or implement a type, in the order of their names.
     *
     * @param except types to leave out, with those that extend or implement them
     */
    List<ClassModel> subtypes(String name, List<String> except) {
        Set<String> found = new TreeSet<>();
        addSubtypes(name, except, found);
        return found.stream().map(each -> Objects.requireNonNull(find(each))).toList();
    }

    private void addSubtypes(String name, List<String> except, Set<String> found) {
        for (String subtype : subtypes().getOrDefault(name, List.of())) {
            if (!except.contains(subtype) && found.add(subtype)) {
                addSubtypes(subtype, except, found);
            }
        }
    }

    /** Returns the classes that state a type as their superclass or interface. Reads all classes once. */
    private Map<String, List<String>> subtypes() {
        Map<String, List<String>> known = subtypes;
        if (known == null) {
            known = new HashMap<>();
            for (String file : files()) {
                DeclaredType type = readable(file);
                // Class loaders don't find a class elsewhere, such as in BOOT-INF/classes.
                if (type != null && file.equals(type.name() + ENDING)) {
                    for (String supertype : type.supertypes()) {
                        known.computeIfAbsent(supertype, _ -> new ArrayList<>()).add(type.name());
                    }
                }
            }
            subtypes = known;
        }
        return known;
    }

    private Set<String> files() {
        Set<String> files = new TreeSet<>();
        try {
            for (Path folder : folders) {
                try (Stream<Path> all = Files.walk(folder)) {
                    all.forEach(
                            file -> files.add(folder.relativize(file).toString().replace(File.separatorChar, '/')));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        jars.forEach(jar -> jar.stream().map(ZipEntry::getName).forEach(files::add));
        files.removeIf(
                file -> !file.endsWith(ENDING) || file.startsWith("META-INF/") || file.endsWith("-info" + ENDING));
        return files;
    }

    /** Returns a class, or null if this JDK can't read it: most classes of a class path have no part in the import. */
    private @Nullable DeclaredType readable(String file) {
        try {
            return DeclaredType.of(ClassFile.of().parse(Objects.requireNonNull(bytes(file))));
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    /** Returns the classes in the package of a class. */
    List<ClassModel> inPackageOf(String name) {
        String prefix = name.substring(0, name.lastIndexOf('/') + 1);
        Set<String> names = new TreeSet<>();
        try {
            for (Path folder : folders) {
                Path files = folder.resolve(prefix);
                if (Files.isDirectory(files)) {
                    try (Stream<Path> all = Files.list(files)) {
                        all.forEach(file -> names.add(prefix + file.getFileName()));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (ZipFile jar : jars) {
            jar.stream()
                    .map(ZipEntry::getName)
                    .filter(file -> file.startsWith(prefix) && file.indexOf('/', prefix.length()) < 0)
                    .forEach(names::add);
        }
        return names.stream()
                .filter(file -> file.endsWith(ENDING) && !file.endsWith("-info" + ENDING))
                .map(file -> Objects.requireNonNull(find(file.substring(0, file.length() - ENDING.length()))))
                .toList();
    }

    /** Returns the internal name of a class that is written with dots, also between a class and a nested one. */
    @Nullable
    String internalName(String name) {
        String candidate = name.replace('.', '/');
        while (find(candidate) == null) {
            int slash = candidate.lastIndexOf('/');
            if (slash < 0) {
                return null;
            }
            candidate = candidate.substring(0, slash) + '$' + candidate.substring(slash + 1);
        }
        return candidate;
    }

    private byte @Nullable [] bytes(String file) {
        try {
            for (Path folder : folders) {
                Path found = folder.resolve(file);
                if (Files.isRegularFile(found)) {
                    return Files.readAllBytes(found);
                }
            }
            for (ZipFile jar : jars) {
                ZipEntry entry = jar.getEntry(file);
                if (entry != null) {
                    try (InputStream in = jar.getInputStream(entry)) {
                        return in.readAllBytes();
                    }
                }
            }
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        for (ZipFile jar : jars) {
            jar.close();
        }
    }
}
