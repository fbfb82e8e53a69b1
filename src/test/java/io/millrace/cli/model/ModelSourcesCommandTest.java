package io.millrace.cli.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.RecordViews;
import java.io.PrintWriter;
import java.io.Serializable;
import java.io.StringWriter;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The sources are compiled, and views of the compiled interfaces read and write records. */
class ModelSourcesCommandTest {

    private static final Path SWAP = Path.of("examples/swap/schemas/swap.yml");

    private static final String PACKAGE = "io.millrace.cli.model";

    @TempDir
    private Path folder;

    private String output = "";

    private int sources(Object... arguments) {
        StringWriter text = new StringWriter();
        int exit = new CommandLine(new ModelCommand())
                .setErr(new PrintWriter(text))
                .setOut(new PrintWriter(text))
                .execute(Stream.concat(Stream.of("sources", "-o", folder.resolve("java")), Arrays.stream(arguments))
                        .map(String::valueOf)
                        .toArray(String[]::new));
        output = text.toString().replace(folder + "/", "");
        return exit;
    }

    private Path schema(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name + ".yml"), "schema: " + name + "\n" + text);
    }

    private void compile() throws Exception {
        List<String> arguments = new ArrayList<>(List.of("-Xlint:all,-path", "-Werror", "-proc:none", "-d"));
        arguments.add(folder.resolve("classes").toString());
        try (Stream<Path> files = Files.walk(folder.resolve("java"))) {
            files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(arguments::add);
        }
        int exit = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        assertThat(exit).isZero();
    }

    private Class<?> compiled(String type) throws Exception {
        compile();
        // In the package and with the class loader of this test, as views need types on the class path of Millrace.
        try (Stream<Path> files = Files.walk(folder.resolve("classes"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                MethodHandles.lookup().defineClass(Files.readAllBytes(file));
            }
        }
        return Class.forName(PACKAGE + "." + type);
    }

    /** Returns a type of a class loader of its own: its classes need no views that are generated at run time. */
    private Class<?> loaded(String type) throws Exception {
        compile();
        URL[] classes = {folder.resolve("classes").toUri().toURL()};
        return new URLClassLoader(classes, getClass().getClassLoader()).loadClass(PACKAGE + "." + type);
    }

    private static Object call(Object target, String method, @Nullable Object... arguments) throws Exception {
        for (Method each : target.getClass().getMethods()) {
            if (each.getName().equals(method) && each.getParameterCount() == arguments.length && !each.isBridge()) {
                return each.invoke(target, arguments);
            }
        }
        throw new NoSuchMethodException(method);
    }

    private static <T> Object roundTrip(RecordViews<T> views, Object view) {
        return views.of(views.bytes(views.type().cast(view)));
    }

    @Test
    void shouldReadAndWriteNestedRecords() throws Exception {
        assertThat(sources("--package", PACKAGE, SWAP)).as(output).isZero();
        assertThat(output).isEqualTo("Created java/io/millrace/cli/model/Swap.java\n");
        Class<?> type = compiled("Swap");
        RecordViews<?> views = RecordViews.of(type, SchemaReader.read(SWAP));
        Object swap = views.create();
        call(swap, "setId", "S-1");
        call(swap, "setTradeDate", LocalDate.of(2026, 11, 24));
        call(swap, "setCleared", (Object) null);
        call(call(swap, "getBuyer"), "setCountry", "DE");
        Class<?> status = Class.forName(type.getName() + "$Status");
        call(swap, "setStatus", status.getEnumConstants()[1]);
        Object leg = views.create(Class.forName(type.getName() + "$Leg"));
        call(leg, "setFixedRate", 0.25);
        call(swap, "setLegs", List.of(leg));
        call(swap, "setBooks", List.of("a", "b"));

        Object read = roundTrip(views, swap);
        assertThat(call(read, "getId")).isEqualTo("S-1");
        assertThat(call(read, "getTradeDate")).isEqualTo(LocalDate.of(2026, 11, 24));
        assertThat(call(read, "getStatus")).hasToString("CONFIRMED");
        assertThat(call(read, "getCleared")).isNull();
        assertThat(call(read, "getBroker")).isNull();
        assertThat(call(call(read, "getBuyer"), "getCountry")).isEqualTo("DE");
        assertThat(call(((List<?>) call(read, "getLegs")).getFirst(), "getFixedRate"))
                .isEqualTo(0.25);
        assertThat(call(read, "getBooks")).isEqualTo(List.of("a", "b"));
    }

    /** Every type of field, required and optional, with names that are types of the source too. */
    @Test
    void shouldHaveAGetterForEveryTypeOfField() throws Exception {
        List<String> types = List.of(
                "u8",
                "i16",
                "u32",
                "i32",
                "i64",
                "u64",
                "f32",
                "f64",
                "boolean",
                "date",
                "instant, unit: ms",
                "ipv4",
                "decimal, scale: 3",
                "string, length: 9",
                "bytes, length: 4",
                "enum, values: [A-1, b]",
                "enum, values: [a-1, a_1]",
                "enum, values: ['1', '2']");
        StringBuilder fields = new StringBuilder("layout: compact\nfields:\n");
        for (int i = 0; i < types.size(); i++) {
            fields.append("  - { name: f")
                    .append(i)
                    .append(", type: ")
                    .append(types.get(i))
                    .append(" }\n");
            fields.append("  - { name: o").append(i).append(", type: ").append(types.get(i));
            fields.append(", optional: true }\n");
        }
        fields.append("  - { name: valid, type: boolean }\n");
        for (String name : List.of("string", "list", "allTypes", "legs")) {
            fields.append("  - { name: ").append(name).append(", type: group, repeat: 3, fields: [");
            fields.append("{ name: legs, type: group, fields: [{ name: string, type: enum, values: [X, Y] }] }] }\n");
        }
        Path file = schema("all-types", fields.toString());
        assertThat(sources("--package", PACKAGE, file)).as(output).isZero();
        Schema schema = SchemaReader.read(file);
        RecordViews<?> views = RecordViews.of(compiled("AllTypes"), schema);
        Object view = roundTrip(views, views.create());
        assertThat(call(view, "getO0")).isNull();
        assertThat(call(view, "getF0")).isEqualTo(0);
        assertThat(call(view, "getValid")).isEqualTo(false);
    }

    @Test
    void shouldWriteOnlyWhatChanged() throws Exception {
        Path a = schema("a", "fields:\n  - { name: id, type: u64 }\n");
        Path b = schema("b", "fields:\n  - { name: id, type: u32 }\n");
        assertThat(sources(b, a)).as(output).isZero();
        FileTime old = FileTime.fromMillis(1_000_000);
        for (String name : List.of("A", "B")) {
            Files.setLastModifiedTime(folder.resolve("java/" + name + ".java"), old);
        }
        schema("a", "fields:\n  - { name: id, type: i32 }\n");
        assertThat(sources(a, b)).as(output).isZero();
        assertThat(output).isEqualTo("Changed java/A.java\nUnchanged: java/B.java\n");
        assertThat(Files.getLastModifiedTime(folder.resolve("java/A.java"))).isNotEqualTo(old);
        assertThat(Files.getLastModifiedTime(folder.resolve("java/B.java"))).isEqualTo(old);
    }

    @Test
    void shouldRemoveWhatNoSchemaHas() throws Exception {
        Path schemas = Files.createDirectory(folder.resolve("schemas"));
        for (String name : List.of("a", "b")) {
            Files.writeString(
                    schemas.resolve(name + ".yml"), "schema: " + name + "\nfields:\n  - { name: id, type: u64 }\n");
        }
        assertThat(sources("--classes", schemas)).as(output).isZero();
        assertThat(output)
                .isEqualTo(
                        "Created java/A.java\nCreated java/B.java\nCreated java/BinaryA.java\nCreated java/BinaryB.java\n");
        Path own = Files.writeString(folder.resolve("java/Own.java"), "// By hand.\ninterface Own {}\n");

        Files.delete(schemas.resolve("a.yml"));
        assertThat(sources("--classes", schemas)).as(output).isZero();
        assertThat(output)
                .isEqualTo(
                        "Unchanged: java/B.java\nUnchanged: java/BinaryB.java\nRemoved java/A.java\nRemoved java/BinaryA.java\n");
        assertThat(sources(schemas)).as(output).isZero();
        assertThat(output).isEqualTo("Unchanged: java/B.java\nRemoved java/BinaryB.java\n");
        assertThat(own).exists();
    }

    @Test
    void shouldSwitchBetweenBothClasses() throws Exception {
        assertThat(sources("--package", PACKAGE, "--both", SWAP)).as(output).isZero();
        assertThat(output.lines().map(line -> line.replaceAll(".*/", "")))
                .containsExactly("BinarySwap.java", "ClassicSwap.java", "Swap.java", "SwapFactory.java");
        Object[] kinds = loaded("SwapFactory").getEnumConstants();
        assertThat(kinds).extracting(Object::toString).containsExactly("CLASSIC", "BINARY");
        Object classic = call(kinds[0], "create");
        Object leg = call(kinds[0], "createLeg");
        call(leg, "setFixedRate", 0.25);
        call(classic, "setId", "S-1");
        call(call(classic, "getBuyer"), "setCountry", "DE");
        List<Object> legs = new ArrayList<>(List.of(leg));
        call(classic, "setLegs", legs);
        legs.clear();
        ((List<?>) call(classic, "getBooks")).clear();
        assertThat(classic)
                .asString()
                .startsWith("Swap[id=S-1, tradeDate=1970-01-01, ")
                .containsPattern("buyer=\\w+\\[name=, .*country=DE]")
                .contains("legs=[Leg[")
                .contains("broker=null");

        byte[] bytes = (byte[]) call(kinds[1], "bytes", classic);
        Object binary = call(kinds[1], "of", bytes);
        assertThat(binary.getClass().getSimpleName()).isEqualTo("BinarySwap");
        assertThat(call(kinds[0], "of", bytes)).isEqualTo(classic).hasSameHashCodeAs(classic);
        assertThat(call(kinds[1], "copy", classic)).isEqualTo(binary);
        assertThat(call(kinds[0], "copy", binary)).isEqualTo(classic).isNotEqualTo(binary);

        Object copy = call(kinds[0], "copy", classic);
        call(call(copy, "getBuyer"), "setCountry", "FR");
        assertThat(copy).isNotEqualTo(classic).isNotInstanceOf(Serializable.class);
        for (Object each : List.of(copy, call(kinds[1], "copy", classic))) {
            assertThat((List<?>) call(each, "getLegs")).hasSize(1);
            call(each, "setLegs", (Object) null);
            assertThat((List<?>) call(each, "getLegs")).isEmpty();
        }
        assertThat(call(call(classic, "getBuyer"), "getCountry")).isEqualTo("DE");
        assertThat(sources("--package", PACKAGE, SWAP)).as(output).isZero();
        assertThat(output).contains("Removed ").contains("SwapFactory.java").contains("ClassicSwap.java");
    }

    @Test
    void shouldRefuseMoreThanTheSchemaAllowsWhenBytesAreMade() throws Exception {
        Path file = schema("tree", """
                layout: fixed
                types:
                  Node:
                    fields:
                      - { name: id, type: u8 }
                      - { name: nodes, type: Node, repeat: 2, depth: 2 }
                fields:
                  - { name: root, type: Node }
                  - { name: tags, type: group, repeat: 3, fields: [ { name: id, type: u8 } ] }
                """);
        assertThat(sources("--package", PACKAGE, "--both", file)).as(output).isZero();
        Object[] kinds = loaded("TreeFactory").getEnumConstants();
        Object tree = call(kinds[0], "create");
        assertThat((List<?>) call(tree, "getTags")).hasSize(3);
        Object root = call(tree, "getRoot");
        assertThat((List<?>) call(root, "getNodes")).isEmpty();
        assertThatThrownBy(() -> call(kinds[0], "bytes", tree))
                .hasRootCauseMessage("Invalid number of elements of 'root.nodes[]': 0. The schema requires 2.");

        Object inner = call(kinds[0], "createNode");
        call(root, "setNodes", List.of(inner, call(kinds[0], "createNode")));
        byte[] bytes = (byte[]) call(kinds[0], "bytes", tree);
        assertThat(call(kinds[0], "of", (Object) bytes)).isEqualTo(tree);
        call(inner, "setNodes", List.of(call(kinds[0], "createNode")));
        assertThatThrownBy(() -> call(kinds[0], "bytes", tree))
                .rootCause()
                .hasMessageContaining("the type contains itself more often than the schema allows");
        call(inner, "setNodes", List.of());
        ((List<?>) call(tree, "getTags")).removeLast();
        assertThatThrownBy(() -> call(kinds[0], "bytes", tree))
                .hasRootCauseMessage("Invalid number of elements of 'tags[]': 2. The schema requires 3.");
    }

    /** Names that the sources of the classes use for something else. */
    @Test
    void shouldHaveAFieldForEveryName() throws Exception {
        StringBuilder fields = new StringBuilder("layout: compact\nfields:\n");
        for (String name : List.of("other", "that", "value", "value_", "int", "toString", "hashCode", "copy", "list")) {
            fields.append("  - { name: ").append(name).append(", type: string, length: 9 }\n");
        }
        for (String name : List.of("objects", "arrays", "classicName", "intFunction", "binaryName", "classicNames")) {
            fields.append("  - { name: ").append(name).append(", type: group, fields: [");
            fields.append("{ name: classicName, type: group, repeat: 2, fields: [{ name: x, type: i8 }] }] }\n");
        }
        fields.append("  - { name: decimals, type: decimal, scale: 2, repeat: 3 }\n");
        fields.append("  - { name: blobs, type: bytes, length: 2, repeat: 3 }\n");
        Path file = schema("name-name", fields.toString());
        assertThat(sources("--package", PACKAGE, "--both", file)).as(output).isZero();
        Object[] kinds = loaded("NameNameFactory").getEnumConstants();
        Object classic = call(kinds[0], "create");
        call(classic, "setValue", "a");
        call(classic, "setValue_", "b");
        call(classic, "setBlobs", List.of(new byte[] {1, 2}));
        call(classic, "setDecimals", List.of(new BigDecimal("1.5")));
        Object read = call(kinds[0], "of", call(kinds[0], "bytes", classic));
        assertThat(read).isEqualTo(classic).hasSameHashCodeAs(classic);
        assertThat(read).asString().contains("value=a, value_=b, ").contains("decimals=[1.50], blobs=[[1, 2]]");
        call(classic, "setBlobs", List.of(new byte[] {1, 3}));
        assertThat(read).isNotEqualTo(classic);
    }

    /** Interfaces of the application are compiled with the generated types, and not known before. */
    @Test
    void shouldExtendInterfacesOfTheApplication() throws Exception {
        Files.writeString(Files.createDirectories(folder.resolve("java")).resolve("Bank.java"), """
                package io.millrace.cli.model;

                interface Bank {
                    interface Keyed<K, V> { K getId(); default String key() { return "key-" + getId(); } }
                    interface Rated { Double getFixedRate(); default boolean isRated() { return getFixedRate() != null; } }
                }
                """);
        Object[] arguments = {
            "--package",
            PACKAGE,
            "--both",
            "--implements",
            "Swap=Bank.Keyed<String, java.util.Map<String,Long>>,java.lang.Cloneable",
            "--implements",
            "Leg=" + PACKAGE + ".Bank.Rated",
            SWAP
        };
        assertThat(sources(arguments)).as(output).isZero();
        assertThat(Files.readString(folder.resolve("java/io/millrace/cli/model/Swap.java")))
                .contains("public interface Swap extends"
                        + " Bank.Keyed<String, java.util.Map<String,Long>>, java.lang.Cloneable {\n")
                .contains("    public interface Leg extends io.millrace.cli.model.Bank.Rated {\n");
        for (Object kind : loaded("SwapFactory").getEnumConstants()) {
            Object swap = call(kind, "create");
            call(swap, "setId", "S-1");
            assertThat(swap).isInstanceOf(Cloneable.class);
            assertThat(call(swap, "key")).isEqualTo("key-S-1");
            Object leg = call(kind, "createLeg");
            assertThat(call(leg, "isRated")).isEqualTo(false);
            call(leg, "setFixedRate", 0.25);
            assertThat(call(leg, "isRated")).isEqualTo(true);
        }
        assertThat(sources(arguments)).as(output).isZero();
        assertThat(output).doesNotContain("Changed").doesNotContain("Created");
    }

    @Test
    void shouldRefuseInvalidInterfaces() throws Exception {
        String part =
                "layout: compact\nfields:\n  - { name: PART, type: group, fields: [ { name: id, type: u64 } ] }\n";
        Path a = schema("a", part.replace("PART", "leg"));
        Path b = schema("b", part.replace("PART", "leg"));
        Path leg = schema("leg", part.replace("PART", "other"));

        assertThat(sources("--implements", "Lag=com.bank.Priced", a, b)).isOne();
        assertThat(output).contains("Unknown type 'Lag' of a generated interface. Use one of: A, A.Leg, B, B.Leg.");
        assertThat(sources("--implements", "Leg=com.bank.Priced", a, b)).isOne();
        assertThat(output).contains("Ambiguous type 'Leg' of a generated interface. Use one of: A.Leg, B.Leg.");
        assertThat(sources("--implements", "com.bank.Priced", a)).isOne();
        assertThat(output)
                .contains("Missing type that extends the interface 'com.bank.Priced'."
                        + " Use TYPE=INTERFACE, such as Leg=com.bank.Priced.");
        for (String invalid : List.of("", "com.1", "int", "com.bank.Priced<", "<A>", "Priced>", "A B", "Priced<A;>")) {
            assertThat(sources("--implements", "A=com.bank.Priced," + invalid, a))
                    .isOne();
            assertThat(output)
                    .contains("' for a generated type to extend."
                            + " Use a Java name with its package, such as com.bank.Priced.")
                    .contains("Invalid interface '");
        }
        assertThat(folder.resolve("java")).doesNotExist();

        // The path of a type is not ambiguous, whatever it is the end of.
        assertThat(sources("--implements", "Leg=com.bank.Priced", a, leg))
                .as(output)
                .isZero();
        assertThat(folder.resolve("java/Leg.java"))
                .content()
                .contains("public interface Leg extends com.bank.Priced {");
        assertThat(folder.resolve("java/A.java")).content().doesNotContain("extends");
    }

    @Test
    void shouldNotReplaceAFileOfAnotherOrigin() throws Exception {
        Path own = Files.createDirectories(folder.resolve("java")).resolve("Fine.java");
        Files.writeString(own, "interface Fine {}\n");
        assertThat(sources(schema("fine", "fields:\n  - { name: id, type: u64 }\n")))
                .isOne();
        assertThat(output).contains("Invalid file 'java/Fine.java': it exists and was not generated.");
        assertThat(own).hasContent("interface Fine {}");
    }

    @Test
    void shouldWriteNothingIfOneIsInvalid() throws Exception {
        Path fine = schema("fine", "fields:\n  - { name: id, type: u64 }\n");
        Path wrong = schema("wrong", "fields:\n  - { name: class, type: u64 }\n");
        assertThat(sources(fine, wrong)).isOne();
        assertThat(output)
                .contains("Invalid name 'class' of a member of 'Wrong' for a getter."
                        + " Use a Java identifier that begins with a small letter, other than 'class'.");
        assertThat(sources(fine, fine)).isOne();
        assertThat(output).contains("two of them become java/Fine.java");
        assertThat(sources("--package", "com.1", fine)).isOne();
        assertThat(output).contains("Invalid package 'com.1'.");
        assertThat(folder.resolve("java")).doesNotExist();
    }
}
