package io.millrace.schema.evolution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.codec.FieldCodecs;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.compact.CompactSamples;
import io.millrace.expression.RandomSchemas;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import io.millrace.schema.evolution.SchemaDescription.FieldDescription;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.catalog.DefinitionText;
import io.millrace.store.catalog.StoredDefinition;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemas from their stored descriptions. */
class SchemaDescriptionTest {

    private static final List<ByteOrder> ORDERS = List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN);
    private static final List<Charset> CHARSETS =
            List.of(StandardCharsets.US_ASCII, StandardCharsets.ISO_8859_1, StandardCharsets.UTF_8);

    private static final String FIXED = """
        schema: sale
        length: 80
        fields:
          - { name: time,   type: instant, as: u32, unit: s, order: little, optional: true }
          - { name: price,  type: decimal, scale: 3, as: i40, optional: true, absent: -1 }
          - { name: state,  type: enum, values: { 0: '', 3: 'a, b=c', 7: Open }, bits: 3..5, at: 12 }
          - { name: paid,   type: boolean, bits: 2, at: 12 }
          - { name: rate,   type: f32, order: little, optional: true, absent: 0 }
          - { name: real,   type: f64, optional: true }
          - { name: text,   type: string, length: 7, charset: latin1, pad: zero, optional: true, absent: flag }
          - { name: other,  type: string, length: 2, charset: utf8, at: 40 }
          - { name: raw,    type: bytes, length: 3, optional: true }
          - { name: day,    type: date, as: u16, order: little, optional: true }
          - { name: ip,     type: ipv6, optional: true, absent: flag }
          - { name: large,  type: u64, optional: true, absent: flag }
        """;

    private static final String COMPACT = """
        schema: sale
        layout: compact
        fields:
          - { name: id, type: u64 }
          - { name: text, type: string, length: 30, charset: utf8, frequent: [b, '', a] }
          - { name: paid, type: boolean, optional: true }
          - name: party
            type: group
            optional: true
            fields:
              - { name: name, type: string, length: 5 }
              - { name: tags, type: string, length: 9, frequent: [x], repeat: 4 }
              - { name: kinds, type: enum, values: [A, B], repeat: many }
          - name: lines
            type: group
            repeat: 3
            fields:
              - { name: amount, type: decimal, scale: 2, optional: true }
              - { name: at, type: group, fields: [{ name: day, type: date }] }
          - { name: line, type: u16, optional: true }
        """;

    private static Schema schema(String yaml) {
        return SchemaReader.read("sale.yml", yaml.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the schema of a description that was stored in a catalog. */
    private static Schema restored(Schema schema) {
        String text = DefinitionText.write(
                new StoredDefinition(StoredDefinition.Kind.REGION, Map.of(), SchemaDescription.of(schema)));
        Schema restored = DescriptionReader.read(
                Objects.requireNonNull(DefinitionText.read(text).schema()));
        assertThat(SchemaDescription.of(restored)).isEqualTo(SchemaDescription.of(schema));
        assertThat(restored.fingerprint()).isEqualTo(schema.fingerprint());
        return restored;
    }

    @Test
    void shouldRestoreFixedSchemas() {
        Schema schema = schema(FIXED);
        Schema restored = restored(schema);
        assertThat(restored.fields())
                .map(field -> field.type().toString())
                .containsExactlyInAnyOrderElementsOf(schema.fields().stream()
                        .map(field -> field.type().toString())
                        .toList());
    }

    @Test
    void shouldRestoreCompactSchemas() {
        Schema schema = schema(COMPACT)
                .extend(Field.of("total", new FieldType.IntegerType(IntStorage.of(4, true, ByteOrder.BIG_ENDIAN)), 0))
                .extend(Field.of("rate", new FieldType.FloatType(8, ByteOrder.LITTLE_ENDIAN), 0)
                        .withNullFlag());
        Schema restored = restored(schema);
        assertThat(restored.fields()).map(Field::name).isEqualTo(names(schema));
        assertThat(restored.fields()).map(Field::offset).isEqualTo(offsets(schema));
        assertThat(restored.groups()).hasToString(schema.groups().toString());
        assertThat(restored.added()).hasSize(2);
    }

    private static List<String> names(Schema schema) {
        return schema.fields().stream().map(Field::name).toList();
    }

    private static List<Integer> offsets(Schema schema) {
        return schema.fields().stream().map(Field::offset).toList();
    }

    @Test
    void shouldRestoreTheAddedFieldsOfTaggedSchemas() {
        Schema schema = Schemas.builtIn().get("radius-accounting");
        assertThat(restored(schema).fields()).isEmpty();
        assertThat(restored(schema.extend(Field.of("a", new FieldType.BytesType(5), 0))
                                .extend(Field.of("b", new FieldType.IpType(4), 0)))
                        .fields())
                .containsExactly(
                        Field.of("a", new FieldType.BytesType(5), 0), Field.of("b", new FieldType.IpType(4), 5));
    }

    @ParameterizedTest
    @ValueSource(strings = {"trade", "order", "reject"})
    void shouldRestoreBuiltInSchemas(String name) {
        restored(Schemas.builtIn().get(name));
    }

    @Property(tries = 2000)
    void shouldRestoreAnyFixedSchema(@ForAll long seed) {
        Random random = new Random(seed);
        Schema some = RandomSchemas.next(random);
        List<Field> fields = new ArrayList<>(some.fields());
        int end = some.recordLength();
        for (int i = 0; i < 2; i++) {
            FieldType type = random.nextBoolean()
                    ? new FieldType.FloatType(random.nextBoolean() ? 4 : 8, ORDERS.get(random.nextInt(2)))
                    : new FieldType.StringType(
                            1 + random.nextInt(9), CHARSETS.get(random.nextInt(3)), (byte) random.nextInt());
            Field field = Field.of("more" + i, type, end);
            fields.add(random.nextBoolean() ? field : field.asOptional(Field.defaultNullRaw(type)));
            end = field.end();
        }
        Schema schema = new Schema("some", end + random.nextInt(3), fields, List.of());
        Schema restored = restored(schema);
        restored(restored.stored());
        byte[] record = new byte[schema.recordLength()];
        for (int i = 0; i < 5; i++) {
            random.nextBytes(record);
            for (Field field : schema.fields()) {
                Object now = value(Objects.requireNonNull(restored.field(field.name())), record);
                // A code without a name was stored only if the schema kept it.
                boolean unknown = field.type() instanceof FieldType.EnumType
                        && now.toString().startsWith("#");
                assertThat(unknown ? "unknown" : now)
                        .as(field.toString())
                        .isEqualTo(
                                unknown && value(field, record).toString().contains("No name of the dictionary")
                                        ? "unknown"
                                        : value(field, record));
            }
        }
    }

    private static Object value(Field field, byte[] record) {
        try {
            Object value = FieldCodecs.of(field).value(record, 0);
            return value == null ? "absent" : value;
        } catch (FieldValueException e) {
            return "invalid: " + e.getMessage();
        }
    }

    @Property(tries = 2000)
    void shouldRestoreAnyCompactSchema(@ForAll long seed) {
        Random random = new Random(seed);
        Schema schema = new CompactSamples(random).schema();
        Iterator<Field> added = RandomSchemas.next(random).fields().iterator();
        for (int i = random.nextInt(3); i > 0; i--) {
            schema = schema.extend(added.next().as("added" + i, 0));
        }
        Schema restored = restored(schema);
        assertThat(restored.fields()).map(Field::type).hasToString(types(schema));
        assertThat(restored.fields()).map(Field::offset).isEqualTo(offsets(schema));
        assertThat(restored.groups()).hasToString(schema.groups().toString());
    }

    private static String types(Schema schema) {
        return schema.fields().stream().map(Field::type).toList().toString();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        integer u32         | 0  |      | Its fields have fingerprint
        integer u65         | 0  |      | Unknown storage 'u65'.
        integer u8[6..9]    | 0  |      | Invalid bits '6..9' of 1 bytes.
        integer             | 0  |      | Unknown type 'integer'.
        integer u8 x        | 0  |      | Unknown type 'integer u8 x'.
        decimal i64 scale   | 0  |      | Unknown type 'decimal i64 scale'.
        instant i64 WEEKS   | 0  |      | WEEKS
        enum u8             | 0  |      | Missing values of type 'enum u8'.
        float 8 MIDDLE      | 0  |      | Unknown type 'float 8 MIDDLE'.
        string 8 none 32    | 0  |      | none
        list of values      | 0  |      | Unknown type 'list of values'.
        integer u8          | 80 |      | Field 'id' is outside of the record.
        integer u8          | 0  | nine | nine
        """)
    void shouldRefuseOtherDescriptions(String type, int offset, String absent, String reason) {
        SchemaDescription description = new SchemaDescription(
                "sale",
                "0123456789abcdef",
                "fixed",
                80,
                List.of(new FieldDescription("id", offset, type, null, absent)),
                null);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DescriptionReader.read(description))
                .withMessageStartingWith("Invalid description of schema 'sale' with fingerprint 0123456789abcdef: ")
                .withMessageContaining(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "columns", "tagged", "tagged header 9 elements 5+1 of all", "compact [id]"})
    void shouldRefuseOtherLayouts(String layout) {
        SchemaDescription description = new SchemaDescription("sale", "0123456789abcdef", layout, 0, List.of(), null);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DescriptionReader.read(description))
                .withMessageStartingWith("Invalid description of schema 'sale'");
    }

    @Test
    void shouldRefuseListsWithoutElements() {
        SchemaDescription stored = SchemaDescription.of(schema(COMPACT));
        int end = stored.fields().stream().map(FieldDescription::name).toList().indexOf("party.tags[]") + 1;
        SchemaDescription cut = new SchemaDescription(
                stored.name(),
                stored.fingerprint(),
                stored.layout(),
                0,
                stored.fields().subList(0, end),
                null);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DescriptionReader.read(cut))
                .withMessageEndingWith("Missing type of the elements of 'party.tags[]'.");
    }
}
