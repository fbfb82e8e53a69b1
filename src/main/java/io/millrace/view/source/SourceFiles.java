package io.millrace.view.source;

import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.RecordViews;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.lang.model.SourceVersion;

/** Writes Java sources for schemas to a folder of sources. Stateless. */
public final class SourceFiles {

    private SourceFiles() {}

    /** Which types are written for a schema. */
    public enum Types {
        /** An interface, for which {@link RecordViews} generates the class. */
        INTERFACE,
        /** Also a class that implements the interface over the bytes of records. */
        CLASS,
        /** Also a class of plain objects, and a factory of objects of both classes. */
        BOTH_CLASSES;

        /**
         * Returns the types that options request.
         *
         * @param classes whether to write the class over bytes
         * @param both whether to write both classes
         */
        public static Types of(boolean classes, boolean both) {
            return both ? BOTH_CLASSES : classes ? CLASS : INTERFACE;
        }
    }

    /** What happened to a file. */
    public enum Change {
        /** The file is new. */
        CREATED,
        /** The file has other content than before. */
        CHANGED,
        /** The file was not written, so that build tools do not compile it again. */
        UNCHANGED,
        /** The file was generated before, for a schema that is no longer there. */
        REMOVED
    }

    /** A source file. */
    public record Written(Path file, Change change) {}

    /** The types of a schema with the text of its file. */
    private record SchemaFile(SourceModel model, String yaml) {

        static SchemaFile read(Path file) throws IOException {
            byte[] yaml = Files.readAllBytes(file);
            SourceModel model = SourceModel.of(SchemaReader.read(file.toString(), yaml));
            return new SchemaFile(model, new String(yaml, StandardCharsets.UTF_8));
        }
    }

    /**
     * Writes an interface for each schema, and if requested classes that implement it. Removes generated files of the
     * package that no schema has any longer. An error of any schema leaves the folder as it was.
     *
     * @param schemas schema files, and folders with schema files, in any order
     * @param packageName package of the types; empty for the unnamed one
     * @param types which types to write
     * @param superinterfaces interfaces that those of records and parts extend, such as
     *     {@code Leg=com.bank.Priced,com.bank.Identified}; the classes implement them too
     * @param folder folder of sources, in which the folders of the package are created
     * @return all files, in the order of their names
     * @throws IllegalArgumentException if a schema, the package or a superinterface is invalid, if two schemas have the
     *     same type, or if a file of another origin has the name of a generated one
     */
    public static List<Written> write(
            Collection<Path> schemas, String packageName, Types types, Collection<String> superinterfaces, Path folder)
            throws IOException {
        if (!packageName.isEmpty() && !SourceVersion.isName(packageName)) {
            throw new IllegalArgumentException(
                    "Invalid package '" + packageName + "'. Use names separated by dots, such as com.example.");
        }
        Path target = folder.resolve(packageName.replace('.', '/'));
        List<SchemaFile> files = new ArrayList<>();
        for (Path file : schemaFiles(schemas)) {
            files.add(SchemaFile.read(file));
        }
        Superinterfaces.add(
                superinterfaces,
                files.stream()
                        .flatMap(file -> Stream.concat(Stream.of(file.model().root()), file.model().parts().stream()))
                        .toList());
        Map<Path, String> sources = new TreeMap<>();
        for (SchemaFile file : files) {
            sources(file.model(), packageName, file.yaml(), types)
                    .forEach((name, source) -> add(sources, target.resolve(name + ".java"), source));
        }
        for (Path file : sources.keySet()) {
            if (Files.exists(file) && !startsWithMark(file)) {
                throw new IllegalArgumentException("Invalid file '" + file
                        + "': it exists and was not generated. Move it, or use another folder or package.");
            }
        }
        Files.createDirectories(target);
        List<Written> written = new ArrayList<>();
        for (Map.Entry<Path, String> source : sources.entrySet()) {
            written.add(new Written(source.getKey(), write(source.getKey(), source.getValue())));
        }
        for (Path file : generated(target)) {
            if (!sources.containsKey(file)) {
                Files.delete(file);
                written.add(new Written(file, Change.REMOVED));
            }
        }
        return written;
    }

    /** Returns the sources for a schema by the names of their types. */
    private static Map<String, String> sources(SourceModel model, String packageName, String yaml, Types types) {
        SourceType root = model.root();
        Map<String, String> sources = new TreeMap<>();
        sources.put(root.name(), InterfaceSource.of(model, packageName));
        if (types != Types.INTERFACE) {
            sources.put(ClassSource.className(root), ClassSource.of(model, packageName, yaml));
        }
        if (types == Types.BOTH_CLASSES) {
            sources.put(root.classicName(), ClassicSource.of(model, packageName));
            sources.put(root.factoryName(), FactorySource.of(model, packageName));
        }
        return sources;
    }

    private static List<Path> schemaFiles(Collection<Path> schemas) throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path each : schemas) {
            if (Files.isDirectory(each)) {
                try (Stream<Path> files = Files.walk(each)) {
                    files.filter(file -> file.toString().matches(".*\\.ya?ml"))
                            .sorted()
                            .forEach(found::add);
                }
            } else {
                found.add(each);
            }
        }
        return found;
    }

    private static void add(Map<Path, String> sources, Path file, String source) {
        if (sources.put(file, source) != null) {
            throw new IllegalArgumentException("Invalid schemas: two of them become " + file
                    + ". Rename one, or write them to different packages.");
        }
    }

    private static Change write(Path file, String content) throws IOException {
        boolean isNew = !Files.exists(file);
        if (!isNew && Files.readString(file).equals(content)) {
            return Change.UNCHANGED;
        }
        Files.writeString(file, content);
        return isNew ? Change.CREATED : Change.CHANGED;
    }

    /** Returns the files of a folder that were generated, in the order of their names. */
    private static List<Path> generated(Path folder) throws IOException {
        List<Path> generated = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                if (file.toString().endsWith(".java") && Files.isRegularFile(file) && startsWithMark(file)) {
                    generated.add(file);
                }
            }
        }
        return generated;
    }

    /** Compares bytes, as files of others may have any encoding. */
    private static boolean startsWithMark(Path file) throws IOException {
        byte[] mark = SourceModel.MARK.getBytes(StandardCharsets.UTF_8);
        try (InputStream in = Files.newInputStream(file)) {
            return Arrays.equals(in.readNBytes(mark.length), mark);
        }
    }
}
