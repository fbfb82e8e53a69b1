package io.millrace.view.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.architecture.ApiSurface;
import io.millrace.codec.shape.RowNode;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import io.millrace.view.BinaryRecord;
import io.millrace.view.RecordViews;
import io.millrace.view.Violation;
import io.millrace.view.access.BinaryView;
import io.millrace.view.source.GeneratedSources.Generated;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/**
 * Classes that were generated as sources behave as those that {@link RecordViews} generates at run time, for built-in
 * schemas, schemas of examples, and random ones.
 */
class GeneratedClassTest {

    private static final int RANDOM_SCHEMAS = 50;
    private static final int RECORDS = 20;
    private static final Pattern IMPORT = Pattern.compile("(?m)^import (io\\.millrace\\.[\\w.]+);");

    /** Texts and names that generated sources have to escape or avoid. */
    private static final String ODD = """
            # "quoted" \""" \\u0041 \\\\ end \\
            # Zürich, 東京, \uD83D\uDE80  \t
            schema: list
            layout: compact
            fields:
              - { name: object, type: string, length: 9, label: 'a "\""" \\n ü' } \s
              - { name: schema, type: enum, values: [A, B] }
              - { name: views,  type: u8 }
              - { name: VIEWS_, type: u8 }
              - { name: string, type: group, repeat: 2, fields: [ { name: list, type: group, fields: [ { name: string, type: u64 } ] } ] }
              - { name: binaryStrings, type: group, repeat: 3, fields: [ { name: recordMember, type: enum, values: [X], repeat: 2 } ] }
            """.replace("VIEWS_", "views_");

    /** Types that contain each other and themselves, and names that other interfaces have. */
    private static final String TYPES = """
            schema: types
            layout: compact
            types:
              Node:
                fields:
                  - { name: kind, type: enum, values: [A, B] }
                  - { name: left, type: Node, optional: true, depth: 3 }
                  - { name: others, type: Node, repeat: 3, depth: 2 }
                  - { name: tag, type: Tag, optional: true }
              Tag:
                fields:
                  - { name: node, type: group, fields: [ { name: kind, type: i64 } ] }
                  - { name: back, type: Node, optional: true, depth: 2 }
              list:
                extends: Tag
                fields: [ { name: types, type: u8, repeat: 2 } ]
              BinaryThing:
                choice: [Heavy, Light]
                fields: [ { name: node, type: Node } ]
              Heavy:
                extends: BinaryThing
                fields: [ { name: weight, type: f64 } ]
              Light:
                extends: BinaryThing
            extends: BinaryThing
            fields:
              - { name: tag, type: Tag }
              - { name: tags, type: list, repeat: 2 }
              - { name: root, type: BinaryThing, optional: true, depth: 1 }
            """;

    @TempDir
    private static Path folder;

    private static List<Generated> all = List.of();

    @BeforeAll
    static void compile() throws Exception {
        Path schemas = Files.createDirectories(folder.resolve("schemas"));
        for (String builtIn : List.of("trade", "order")) {
            try (InputStream in = GeneratedClassTest.class.getResourceAsStream("/schemas/" + builtIn + ".yml")) {
                Files.copy(Objects.requireNonNull(in), schemas.resolve(builtIn + ".yml"));
            }
        }
        Files.copy(Path.of("examples/swap/schemas/swap.yml"), schemas.resolve("swap.yml"));
        Files.writeString(schemas.resolve("list.yml"), ODD + "# long\n".repeat(10_000));
        Files.writeString(schemas.resolve("types.yml"), TYPES);
        for (int i = 0; i < RANDOM_SCHEMAS; i++) {
            String name = "sample-" + i;
            Files.writeString(schemas.resolve(name + ".yml"), SchemaSamples.yaml(name, i % 2 == 0, i));
        }
        all = GeneratedSources.compile(schemas, folder);
    }

    /** Without its module, Jackson uses getters: {@code isValid} is not the getter of a field. */
    @Test
    void shouldBeWrittenByJacksonAsViews() throws Exception {
        Generated swap = all.stream()
                .filter(sample -> sample.schema().name().equals("swap"))
                .findFirst()
                .orElseThrow();
        JsonMapper mapper = new JsonMapper();
        assertThat(mapper.writeValueAsString(swap.generated().create()))
                .isEqualTo(mapper.writeValueAsString(swap.views().create()));
    }

    /** Returns a record: of random bytes in the fixed layout, as not every number is a valid value there. */
    private static byte[] bytes(Generated sample, Random random) throws Exception {
        if (sample.schema().layout() instanceof CompactLayout) {
            Object view = sample.views().create();
            new RandomValues(sample.views(), random).fill(view);
            return content(sample.views(), view);
        }
        byte[] record = new byte[sample.schema().recordLength()];
        random.nextBytes(record);
        if (random.nextBoolean()) {
            // Most of these are codes of names and booleans.
            for (int i = 0; i < record.length; i++) {
                record[i] &= 1;
            }
        }
        return record;
    }

    private static @Nullable Object outcome(Callable<? extends @Nullable Object> call) throws Exception {
        try {
            return call.call();
        } catch (InvocationTargetException e) {
            return String.valueOf(e.getCause());
        } catch (RuntimeException e) {
            return e.toString();
        }
    }

    private static List<Method> methods(Class<?> type, int parameters) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getParameterCount() == parameters)
                .sorted(Comparator.comparing(Method::getName))
                .toList();
    }

    private static void compareParts(Object generated, Object view) throws Exception {
        Class<?> type = generated.getClass().getInterfaces()[0];
        assertThat(type.isInstance(view)).isTrue();
        for (Method getter : methods(type, 0)) {
            compare(outcome(() -> getter.invoke(generated)), outcome(() -> getter.invoke(view)), getter.toString());
        }
        assertThat(outcome(() -> generated.equals(view))).isEqualTo(outcome(() -> view.equals(generated)));
        assertThat(outcome(generated::hashCode)).isEqualTo(outcome(view::hashCode));
        assertThat(outcome(generated::toString)).isEqualTo(outcome(view::toString));
    }

    private static void compare(@Nullable Object generated, @Nullable Object view, String getter) throws Exception {
        if (generated instanceof BinaryRecord record) {
            assertThat(view).isInstanceOf(BinaryView.class).isNotInstanceOf(BinaryRecord.class);
            compareParts(record, Objects.requireNonNull(view));
        } else if (generated instanceof List<?> list) {
            List<?> others = (List<?>) Objects.requireNonNull(view);
            assertThat(list).as(getter).hasSameSizeAs(others);
            for (int i = 0; i < list.size(); i++) {
                int index = i;
                compare(outcome(() -> list.get(index)), outcome(() -> others.get(index)), getter);
            }
        } else {
            assertThat(generated).as(getter).isEqualTo(view);
        }
    }

    @Test
    void shouldReadWhatViewsRead() throws Exception {
        for (Generated each : all) {
            Random random = new Random(1);
            for (int i = 0; i < RECORDS; i++) {
                byte[] record = bytes(each, random);
                if (i % 4 == 3) {
                    record[random.nextInt(record.length)] = (byte) random.nextInt();
                }
                Object view = each.views().of(record);
                BinaryRecord generated = each.record(record);
                compareParts(generated, view);
                assertThat(generated).isEqualTo(view).hasSameHashCodeAs(view);
                assertThat(generated.validate()).isEqualTo(violations(each.views(), view));
            }
        }
    }

    private static <T> List<Violation> violations(RecordViews<T> views, Object view) {
        return views.validate(views.type().cast(view));
    }

    private static <T> byte[] content(RecordViews<T> views, Object view) {
        return views.bytes(views.type().cast(view));
    }

    @Test
    void shouldWriteWhatViewsWrite() throws Exception {
        int written = 0;
        for (Generated each : all) {
            for (int seed = 0; seed < RECORDS; seed++) {
                Object generated = each.generated().create();
                Object view = each.views().create();
                assertThat(generated).isInstanceOf(BinaryRecord.class);
                new RandomValues(each.generated(), new Random(seed)).fill(generated);
                new RandomValues(each.views(), new Random(seed)).fill(view);
                compareParts(generated, view);
                Object bytes = outcome(() -> content(each.generated(), generated));
                compare(bytes, outcome(() -> content(each.views(), view)), "bytes");
                if (bytes instanceof byte[] record) {
                    written++;
                    compareParts(each.record(record), each.views().of(record));
                }
            }
        }
        assertThat(written).isGreaterThan(all.size());
    }

    @Test
    void shouldCopyToTheSameBytes() throws Exception {
        for (Generated each : all) {
            Random random = new Random(2);
            for (int i = 0; i < RECORDS; i++) {
                byte[] record = bytes(each, random);
                assertThat(content(each.generated(), edit(each.generated(), record)))
                        .isEqualTo(record);
                // Views of the other kind have the same content.
                assertThat(content(each.generated(), each.views().of(record))).isEqualTo(record);
            }
        }
    }

    private static <T> T edit(RecordViews<T> views, byte[] record) {
        return views.edit(views.of(record));
    }

    @Test
    void shouldBeImmutableUnlessEdited() throws Exception {
        for (Generated each : all) {
            BinaryRecord record = each.record(bytes(each, new Random(3)));
            for (Method setter : methods(each.type(), 1)) {
                Object value = setter.getParameterTypes()[0].isPrimitive() ? zero(setter.getParameterTypes()[0]) : null;
                assertThatThrownBy(() -> setter.invoke(record, value))
                        .cause()
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("is immutable");
            }
        }
    }

    private static Object zero(Class<?> primitive) {
        return primitive == boolean.class
                ? (Object) false
                : primitive == int.class ? (Object) 0 : primitive == long.class ? (Object) 0L : (Object) 0.0;
    }

    @Test
    void shouldContainTheSchema() {
        for (Generated each : all) {
            Schema schema = Objects.requireNonNull(each.generated().schema());
            assertThat(schema.fingerprint()).isEqualTo(each.schema().fingerprint());
            assertThat(schema.fields())
                    .map(Field::toString)
                    .containsExactlyElementsOf(
                            each.schema().fields().stream().map(Field::toString).toList());
        }
        assertThat(all.stream().map(each -> each.type().getSimpleName())).contains("RecordList", "Trade", "Sample0");
    }

    @Test
    void shouldUseNothingButTheApi() throws Exception {
        List<String> api = ApiSurface.types().stream().map(Class::getName).toList();
        Set<String> used = new TreeSet<>();
        try (Stream<Path> files = Files.walk(folder.resolve("java"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                IMPORT.matcher(Files.readString(file)).results().forEach(each -> used.add(each.group(1)));
            }
        }
        assertThat(used).isNotEmpty().isSubsetOf(api);
    }

    @Test
    void shouldReadWordsOfTheFixedLayoutAtLiteralOffsets() throws Exception {
        assertThat(Files.readString(folder.resolve("java/io/millrace/view/samples/BinaryTrade.java")))
                .contains("int AMOUNT1_OFFSET = 12;", "return BigDecimal.valueOf(longAt(AMOUNT1_OFFSET), 2);")
                .contains("return LocalDate.ofEpochDay(shortAt(TRADE_DATE_OFFSET) & 0xFFFF);")
                .contains("return Double.longBitsToDouble(longAt(EXCHANGE_RATE_OFFSET));");
    }

    /** RecordViews can't generate classes for types of another class loader. */
    @Test
    void shouldWorkInAClassLoaderOfTheApplication() throws Exception {
        Class<?> type = GeneratedSources.implementation(GeneratedSources.loader(folder), "Swap");
        Object swap = type.getMethod("create").invoke(null);
        type.getMethod("setId", String.class).invoke(swap, "S-1");
        byte[] bytes = (byte[]) type.getMethod("bytes").invoke(swap);
        Object read = type.getMethod("of", byte[].class).invoke(null, bytes);

        assertThat(type.getClassLoader()).isNotEqualTo(BinaryRecord.class.getClassLoader());
        assertThat(type.getMethod("getId").invoke(read)).isEqualTo("S-1");
        assertThat(read).isEqualTo(swap).hasToString(swap.toString());
    }

    @Test
    void shouldBeSerializable() throws Exception {
        Generated trade = all.stream()
                .filter(each -> each.schema().name().equals("trade"))
                .findFirst()
                .orElseThrow();
        BinaryRecord record = trade.record(new byte[39]);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(record);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(in.readObject()).isEqualTo(record);
        }
    }

    @Test
    void shouldCreateClassicRecordsWithTheValuesOfBinaryOnes() throws Exception {
        int parts = 0;
        for (Generated each : all) {
            SameGetters.require(
                    each.type(), each.classic().create(), each.binary().create());
            assertThat(each.binary().create()).isInstanceOf(BinaryRecord.class);
            for (Method creator : each.classic().creators()) {
                Object classic = creator.invoke(each.classic().constant());
                Object binary = creator.invoke(each.binary().constant());
                assertThat(binary).isInstanceOf(BinaryRecord.class);
                SameGetters.require(creator.getReturnType(), classic, binary);
                parts++;
            }
        }
        assertThat(parts).isGreaterThan(all.size());
    }

    @Test
    void shouldCopyBetweenClassicAndBinaryRecords() throws Exception {
        int complete = 0;
        for (Generated each : all) {
            for (int seed = 0; seed < RECORDS; seed++) {
                BinaryRecord binary = (BinaryRecord) each.binary().create();
                new RandomValues(each.generated(), new Random(seed)).fill(binary);
                byte[] bytes = each.binary().bytes(binary);
                Object classic =
                        Objects.requireNonNull(outcome(() -> each.classic().copy(binary)));
                if (classic instanceof String refusal) {
                    assertThat(refusal).contains("No name of the dictionary has this code.");
                    assertThat(binary.validate()).isNotEmpty();
                    continue;
                }
                SameGetters.require(each.type(), classic, binary);
                if (outcome(() -> each.classic().bytes(classic)) instanceof byte[] ofClassic) {
                    assertThat(ofClassic).isEqualTo(bytes);
                    assertThat(each.binary().copy(classic)).isEqualTo(binary).hasSameHashCodeAs(binary);
                    requireEqual(each.classic().copy(each.binary().copy(classic)), classic);
                    complete++;
                } else {
                    assertThat(binary.validate()).isNotEmpty();
                }
                requireEqual(each.classic().copy(classic), classic);
                requireEqual(each.classic().of(bytes), classic);

                new RandomValues(each.classic()::create, new Random(seed + 1)).fill(classic);
                assertThat(each.binary().bytes(binary)).isEqualTo(bytes);
            }
        }
        assertThat(complete).isGreaterThan(all.size());
    }

    private static void requireEqual(Object copy, Object classic) {
        assertThat(copy)
                .isNotSameAs(classic)
                .isEqualTo(classic)
                .hasSameHashCodeAs(classic)
                .hasToString(classic.toString());
    }

    /** Classic parts accept values that setters of binary records refuse halfway. */
    @Test
    void shouldLeaveRecordsAsTheyAreIfASetterIsRefused() throws Exception {
        int refused = 0;
        for (Generated each : all) {
            for (int seed = 0; seed < RECORDS; seed++) {
                Object record = each.binary().create();
                new RandomValues(each.generated(), new Random(seed)).fill(record);
                RandomValues values = new RandomValues(each.classic()::create, new Random(seed));
                for (Method setter : methods(each.type(), 1)) {
                    String before = rows((BinaryView) record);
                    try {
                        setter.invoke(record, values.value(setter.getGenericParameterTypes()[0]));
                    } catch (InvocationTargetException e) {
                        assertThat(rows((BinaryView) record))
                                .as(setter.toString())
                                .isEqualTo(before);
                        refused++;
                    }
                }
            }
        }
        assertThat(refused).isGreaterThan(all.size());
    }

    /** Returns the content of a mutable record, with bytes that no getter reads. */
    private static String rows(BinaryView view) {
        return view.millraceState() instanceof RowNode node ? rows(node) : Arrays.toString(view.millraceBytes());
    }

    private static String rows(RowNode node) {
        return Arrays.toString(node.row())
                + node.lists().stream()
                        .map(list -> list.stream().map(GeneratedClassTest::rows).toList())
                        .toList();
    }

    /** Setters of classic records accept values that the schema does not allow. */
    @Test
    void shouldRefuseInvalidValuesOfClassicRecordsWhenBytesAreMade() throws Exception {
        int refused = 0;
        int different = 0;
        for (Generated each : all) {
            for (int seed = 0; seed < RECORDS; seed++) {
                Object classic = each.classic().create();
                new RandomValues(each.classic()::create, new Random(seed)).fill(classic);
                requireEqual(each.classic().copy(classic), classic);
                different += classic.equals(each.classic().create()) ? 0 : 1;
                Object bytes = outcome(() -> each.classic().bytes(classic));
                if (bytes instanceof byte[] record) {
                    assertThat(each.classic().of(record)).isEqualTo(classic);
                } else {
                    assertThat(bytes).asString().containsAnyOf("FieldValueException", "IllegalArgumentException");
                    refused++;
                }
            }
        }
        assertThat(refused).isBetween(1, all.size() * RECORDS - all.size());
        assertThat(different).isGreaterThan(all.size() * RECORDS / 2);
    }
}
