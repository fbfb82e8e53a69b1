package io.millrace.view.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.BinaryRecord;
import io.millrace.view.RecordViews;
import io.millrace.view.samples.SamplePackage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Generates the sources of interfaces and classes for schemas, compiles them without warnings, and loads the classes.
 */
public final class GeneratedSources {

    private static final String PACKAGE = SamplePackage.class.getPackageName();

    /**
     * A schema with its views.
     *
     * @param type generated interface
     * @param views views whose classes are generated at run time
     * @param generated views whose classes were generated as sources
     * @param classic factory of plain objects
     * @param binary factory of objects over bytes
     */
    public record Generated(
            Schema schema,
            Class<?> type,
            RecordViews<?> views,
            RecordViews<?> generated,
            Factory classic,
            Factory binary) {

        /** Returns a view of the generated class. */
        BinaryRecord record(byte[] bytes) {
            return (BinaryRecord) generated.of(bytes);
        }
    }

    /** A constant of a generated factory. */
    public record Factory(Object constant) {

        public Object create() throws ReflectiveOperationException {
            return invoke("create");
        }

        Object copy(Object record) throws ReflectiveOperationException {
            return invoke("copy", record);
        }

        public Object of(byte[] record) throws ReflectiveOperationException {
            return invoke("of", record);
        }

        public byte[] bytes(Object record) throws ReflectiveOperationException {
            return (byte[]) invoke("bytes", record);
        }

        /** Returns the methods that create parts. */
        public List<Method> creators() {
            return Arrays.stream(constant.getClass().getMethods())
                    .filter(method -> method.getName().matches("create.+"))
                    .toList();
        }

        /** Creates a part of a type. */
        public Object create(Class<?> part) throws ReflectiveOperationException {
            for (Method creator : creators()) {
                if (creator.getReturnType() == part) {
                    return creator.invoke(constant);
                }
            }
            return create();
        }

        private Object invoke(String name, Object... arguments) throws ReflectiveOperationException {
            for (Method method : constant.getClass().getMethods()) {
                if (method.getName().equals(name) && method.getParameterCount() == arguments.length) {
                    return method.invoke(constant, arguments);
                }
            }
            throw new NoSuchMethodException(name);
        }
    }

    private GeneratedSources() {}

    /** Compiles all schemas of a folder. */
    public static List<Generated> compile(Path schemas, Path work) throws Exception {
        return compile(schemas, List.of(), work);
    }

    /** @param superinterfaces interfaces of the class path that generated ones extend */
    static List<Generated> compile(Path schemas, List<String> superinterfaces, Path work) throws Exception {
        SourceFiles.write(
                List.of(schemas), PACKAGE, SourceFiles.Types.BOTH_CLASSES, superinterfaces, work.resolve("java"));
        Path classes = Files.createDirectories(work.resolve("classes"));
        List<String> arguments = new ArrayList<>(List.of("-Xlint:all,-path", "-Werror", "-proc:none"));
        arguments.addAll(List.of("-cp", System.getProperty("java.class.path"), "-d", classes.toString()));
        files(work.resolve("java")).map(Path::toString).forEach(arguments::add);
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        int exit = ToolProvider.getSystemJavaCompiler().run(null, messages, messages, arguments.toArray(String[]::new));
        assertThat(exit).as(() -> messages.toString(StandardCharsets.UTF_8)).isZero();

        // Views of RecordViews need types of the same class loader. Interfaces come first.
        Comparator<Path> order =
                Comparator.comparing(file -> file.getFileName().toString().matches("(Binary|Classic).*"));
        for (Path file : files(classes).sorted(order).toList()) {
            SamplePackage.define(Files.readAllBytes(file));
        }
        List<Generated> generated = new ArrayList<>();
        for (Path file : files(schemas).toList()) {
            generated.add(load(SchemaReader.read(file)));
        }
        return generated;
    }

    /** Returns a class loader of its own for the compiled classes. */
    static ClassLoader loader(Path work) throws IOException {
        URL[] classes = {work.resolve("classes").toUri().toURL()};
        return new URLClassLoader(classes, GeneratedSources.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                Class<?> loaded = findLoadedClass(name);
                boolean own = name.startsWith(PACKAGE + ".");
                return loaded != null ? loaded : own ? findClass(name) : super.loadClass(name, resolve);
            }
        };
    }

    /** Returns the class that was generated for an interface. */
    static Class<?> implementation(ClassLoader loader, String name) throws ClassNotFoundException {
        return Class.forName(PACKAGE + ".Binary" + name, true, loader);
    }

    private static Stream<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList().stream();
        }
    }

    private static Generated load(Schema schema) throws ReflectiveOperationException {
        String name = SourceModel.of(schema).root().name();
        ClassLoader loader = GeneratedSources.class.getClassLoader();
        Class<?> type = loader.loadClass(PACKAGE + "." + name);
        Object views = implementation(loader, name).getField("VIEWS").get(null);
        Object[] kinds = loader.loadClass(PACKAGE + "." + name + "Factory").getEnumConstants();
        return new Generated(
                schema,
                type,
                RecordViews.of(type, schema),
                (RecordViews<?>) views,
                new Factory(kinds[0]),
                new Factory(kinds[1]));
    }
}
