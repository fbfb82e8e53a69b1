package io.millrace.cli.model;

import io.millrace.model.ModelFile;
import io.millrace.model.classfile.ClassImport;
import io.millrace.model.classfile.RootClass;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Imports a schema from a compiled class. */
@Command(
        name = "java",
        mixinStandardHelpOptions = true,
        description = {
            "Imports a schema of the compact layout from a compiled interface, JavaBean or record.",
            "Classes are read, not loaded. An existing schema is merged: changes made by hand stay."
        })
final class ModelJavaCommand extends ModelImportCommand {

    @Option(
            names = "--root",
            paramLabel = "TYPE",
            description = "Class of the records, with its package. Needed unless one class file is given.")
    private @Nullable String root;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Name of the schema; by default that of the class, such as cash-flow for CashFlow.")
    private @Nullable String name;

    @Option(
            names = "--leave-out",
            paramLabel = "PATH",
            description = "Leaves out a member, such as legs.parent. Can be repeated.")
    private List<String> leftOut = List.of();

    @Option(
            names = "--depth",
            paramLabel = "LEVELS",
            description = "Levels in a record of a type that contains itself; by default, such types are errors.")
    private int depth;

    @Option(
            names = "--allow",
            paramLabel = "NAME",
            description =
                    "Accepts that views differ from objects in a method, a field or a subclass, or that you create"
                            + " no views of a class; '<init>' for constructors. Can be repeated.")
    private List<String> allowed = List.of();

    @Option(
            names = "--keep-digits",
            description = "Keeps the number of decimals of each BigDecimal, in a field of its own.")
    private boolean keepDigits;

    @Parameters(
            arity = "1..*",
            paramLabel = "CLASSES",
            description =
                    "Folders of classes, jars, and the class file of the records; each argument may be a class path.")
    private List<String> entries = List.of();

    @Override
    protected int run() throws IOException {
        List<Path> classPath = new ArrayList<>();
        String type = root;
        for (String entry : entries) {
            for (String path : entry.split(Pattern.quote(File.pathSeparator), -1)) {
                if (path.endsWith(".class") && type == null) {
                    RootClass given = RootClass.of(Path.of(path));
                    type = given.name();
                    classPath.add(given.folder());
                } else if (!path.isEmpty()) {
                    classPath.add(Path.of(path));
                }
            }
        }
        if (type == null) {
            throw usage(
                    "Missing --root TYPE, the class of the records. It is not needed if CLASSES is one class file.");
        }
        ClassImport.Result imported = ClassImport.read(
                name == null ? defaultName(type) : name,
                type,
                classPath,
                new ClassImport.Options(new LinkedHashSet<>(leftOut), depth, Set.copyOf(allowed), keepDigits));
        imported.notes().forEach(out()::println);
        ModelFile file = merge(imported.schema());
        return finish(file);
    }

    private static String defaultName(String type) {
        String simple = type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1);
        return simple.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }
}
