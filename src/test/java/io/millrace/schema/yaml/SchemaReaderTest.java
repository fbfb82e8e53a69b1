package io.millrace.schema.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.ProblemCode;
import io.millrace.schema.Schema;
import io.millrace.schema.VirtualField;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaReaderTest {

    private static Schema read(String yaml) {
        return SchemaReader.read("some/folder/t.yml", yaml.getBytes(StandardCharsets.UTF_8));
    }

    private static List<SchemaProblem> problems(String yaml) {
        SchemaException refused = catchThrowableOfType(SchemaException.class, () -> read(yaml));
        assertThat(refused).as("is refused").isNotNull();
        assertThat(refused.problems())
                .allSatisfy(problem -> assertThat(problem.file()).isEqualTo("some/folder/t.yml"));
        return refused.problems();
    }

    private static Schema fields(String fields) {
        return read("schema: t\nfields:\n" + fields);
    }

    private static FieldType type(String attributes) {
        return fields("  - { name: a, " + attributes + " }\n")
                .fields()
                .iterator()
                .next()
                .type();
    }

    private static IntStorage u(int bytes) {
        return IntStorage.of(bytes, false, ByteOrder.BIG_ENDIAN);
    }

    private static IntStorage i(int bytes) {
        return IntStorage.of(bytes, true, ByteOrder.BIG_ENDIAN);
    }

    @Test
    void shouldReadEachType() {
        assertThat(type("type: i24")).isEqualTo(new FieldType.IntegerType(i(3)));
        assertThat(type("type: u40, order: little"))
                .isEqualTo(new FieldType.IntegerType(IntStorage.of(5, false, ByteOrder.LITTLE_ENDIAN)));
        assertThat(type("type: u16, bits: 3..5")).isEqualTo(new FieldType.IntegerType(u(2).slice(3, 3)));
        assertThat(type("type: boolean, bits: 3")).isEqualTo(new FieldType.BooleanType(u(1).slice(3, 1)));
        assertThat(type("type: f32")).isEqualTo(new FieldType.FloatType(4, ByteOrder.BIG_ENDIAN));
        assertThat(type("type: f64, order: little")).isEqualTo(new FieldType.FloatType(8, ByteOrder.LITTLE_ENDIAN));
        assertThat(type("type: decimal, scale: 4")).isEqualTo(new FieldType.DecimalType(i(8), 4));
        assertThat(type("type: decimal, scale: 2, as: u32")).isEqualTo(new FieldType.DecimalType(u(4), 2));
        assertThat(type("type: date")).isEqualTo(new FieldType.DateType(u(2)));
        assertThat(type("type: instant, unit: us")).isEqualTo(new FieldType.InstantType(i(8), TimeUnit.MICROSECONDS));
        assertThat(type("type: enum, values: [x, y]")).isEqualTo(new FieldType.EnumType(u(1), Dictionary.of("x", "y")));
        assertThat(type("type: enum, as: u16, values: { 0: x, 1: y }"))
                .isEqualTo(new FieldType.EnumType(u(2), Dictionary.of("x", "y")));
        assertThat(type("type: enum, values: [x, y], unknown: keep"))
                .isEqualTo(new FieldType.EnumType(u(1), Dictionary.of("x", "y").keeping(255)));
        assertThat(type("type: enum, values: [x, y], unknown: keep, optional: true"))
                .isEqualTo(new FieldType.EnumType(u(1), Dictionary.of("x", "y").keeping(254)));
        assertThat(type("type: enum, as: u32, values: [x, y], unknown: keep"))
                .isEqualTo(new FieldType.EnumType(u(4), Dictionary.of("x", "y").keeping(65535)));
        assertThat(type("type: string, length: 5"))
                .isEqualTo(new FieldType.StringType(5, StandardCharsets.US_ASCII, (byte) ' '));
        assertThat(type("type: string, length: 5, charset: utf8, pad: zero"))
                .isEqualTo(new FieldType.StringType(5, StandardCharsets.UTF_8, (byte) 0));
        assertThat(type("type: string, length: 5, charset: latin1"))
                .isEqualTo(new FieldType.StringType(5, StandardCharsets.ISO_8859_1, (byte) ' '));
        assertThat(type("type: bytes, length: 16")).isEqualTo(new FieldType.BytesType(16));
        assertThat(type("type: ipv4")).isEqualTo(new FieldType.IpType(4));
        assertThat(type("type: ipv6")).isEqualTo(new FieldType.IpType(16));
    }

    @Test
    void shouldLayGroupsFlat() {
        Schema schema = fields("""
              - { name: id, type: u8 }
              - name: legs
                type: group
                repeat: 2
                fields:
                  - { name: amount, type: u32 }
                  - { name: side, type: u8, label: Side }
              - name: tail
                type: group
                at: 12
                length: 4
                fields: [{ name: x, type: u8, at: 1 }]
              - { name: end, type: u8 }
            """);

        assertThat(schema.fields())
                .extracting(field -> field.name() + "@" + field.offset())
                .containsExactly(
                        "id@0",
                        "legs[0].amount@1",
                        "legs[0].side@5",
                        "legs[1].amount@6",
                        "legs[1].side@10",
                        "tail.x@13",
                        "end@16");
        assertThat(schema.fields()).extracting(Field::label).contains("legs[1].Side", "tail.x");
        assertThat(schema.recordLength()).isEqualTo(17);
    }

    @Test
    void shouldLetBitFieldsShareAWord() {
        Schema schema = fields("""
              - { name: a, type: u16, at: 0, bits: 0..3 }
              - { name: b, type: u8, at: 0, bits: 0..7 }
              - { name: c, type: boolean, at: 1, bits: 7 }
            """);

        // The low bits of a big-endian word of two bytes lie in its second byte.
        assertThat(schema.recordLength()).isEqualTo(2);
        assertThat(problems("""
            schema: t
            byte-order: little
            fields:
              - { name: a, type: u16, at: 0, bits: 0..3 }
              - { name: b, type: u8, at: 0, bits: 0..7 }
            """))
                .containsExactly(problem(
                        5,
                        "b",
                        ProblemCode.OVERLAPPING_FIELDS,
                        "The field overlaps field 'a', which takes bytes 0..1. Correct 'at', or use different"
                                + " 'bits'."));
    }

    @Test
    void shouldReadAnchorsAndMergedMappings() {
        Schema schema = read("""
            schema: t
            fields:
              - &amount { name: a, type: decimal, scale: 2, as: i32 }
              - { <<: *amount, name: b, scale: 3 }
            """);

        assertThat(schema.field("b")).isEqualTo(Field.of("b", new FieldType.DecimalType(i(4), 3), 4));
    }

    @Test
    void shouldReadWhatGoesWithAField() {
        Schema schema = fields("""
              - { name: a, type: i16, optional: true, min: -5, max: 5.5, label: The A }
              - { name: b, type: u64, optional: true, absent: 18446744073709551614 }
              - { name: c, type: f64, optional: true, absent: -1.5 }
              - { name: d, type: string, length: 3, required: true, pattern: "[A-Z]+" }
              - { name: e, type: date, format: dd.MM.yyyy }
              - { name: f, virtual: a * 2 }
            """);

        Field a = schema.fields().iterator().next();
        assertThat(a.optional()).isTrue();
        assertThat(a.nullRaw()).isEqualTo(Short.MIN_VALUE);
        assertThat(a.label()).isEqualTo("The A");
        assertThat(a.constraint().min()).isEqualByComparingTo("-5");
        assertThat(a.constraint().max()).isEqualByComparingTo("5.5");
        assertThat(schema.fields())
                .extracting(Field::nullRaw)
                .startsWith(-32768L, -2L, Double.doubleToRawLongBits(-1.5));
        assertThat(schema.fields()).extracting(Field::format).endsWith("dd.MM.yyyy");
        assertThat(schema.virtualField("f")).isEqualTo(new VirtualField("f", "a * 2"));
        assertThat(schema.recordLength()).isEqualTo(2 + 8 + 8 + 3 + 2);
    }

    @Test
    void shouldPlaceANullFlagBehindItsValue() {
        Schema schema = fields("""
              - { name: a, type: u8, optional: true, absent: flag }
              - { name: b, type: string, length: 3, optional: true, absent: flag }
              - { name: c, type: u16, order: little, bits: 3..9, optional: true, absent: flag }
              - { name: d, type: boolean, bits: 0, optional: true, absent: flag }
              - { name: e, type: enum, values: [''], optional: true, absent: flag }
              - { name: f, type: ipv4, optional: true, absent: flag }
              - { name: g, type: f64, optional: true, absent: flag }
            """);

        assertThat(schema.fields()).allMatch(Field::optional).allMatch(Field::nullFlag);
        assertThat(schema.fields()).extracting(Field::offset).containsExactly(0, 2, 6, 9, 11, 13, 18);
        assertThat(schema.recordLength()).isEqualTo(27);
        assertThat(schema.fingerprint())
                .isNotEqualTo(fields("  - { name: a, type: u8, optional: true, absent: 0 }")
                        .fingerprint());
        assertThat(problems("""
            schema: t
            fields:
              - { name: a, type: u16, at: 0, bits: 0..3, optional: true, absent: flag }
              - { name: b, type: u8, at: 2 }
            """))
                .containsExactly(problem(
                        4,
                        "b",
                        ProblemCode.OVERLAPPING_FIELDS,
                        "The field overlaps field 'a', which takes bytes 0..2. Correct 'at', or use different"
                                + " 'bits'."));
    }

    private static SchemaProblem problem(int line, @Nullable String field, ProblemCode code, String reason) {
        return new SchemaProblem("some/folder/t.yml", line, field, code, reason);
    }

    /** The field stands in line 4, behind a field x of one byte. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        name: a, type: u8, at: 0                         | The field overlaps field 'x', which takes bytes 0..0. Correct 'at', or use different 'bits'.
        name: a, type: decmal                            | starts:Unknown type 'decmal'. Did you mean 'decimal'? Use one of: boolean, bytes, date,
        name: a, type: u8, lable: A                      | starts:Unknown attribute 'lable'. Did you mean 'label'? Use one of: absent,
        name: a, type: u8, scale: 2                      | Invalid attribute 'scale' for type u8. Remove it.
        name: a, type: decimal                           | Missing 'scale': the number of decimals.
        name: a, type: decimal, scale: 19                | Invalid scale '19'. Use 0 to 18.
        name: a, type: decimal, scale: x                 | Invalid scale 'x'. Use a whole number.
        name: a, type: enum, values: [p, q, p]           | Duplicate value 'p'. Remove or rename it.
        name: a, type: enum, values: { 1: p, 0x1: q }    | Duplicate code '1'. Use another code.
        name: a, type: enum, values: { 256: p }          | Invalid code '256'. Use codes that fit u8, or a wider type.
        name: a, type: enum, values: { p: 1 }            | Invalid code 'p'. Use a number from 0 to 65535.
        name: a, type: enum, values: { -1: p }           | Invalid code '-1'. Use a number from 0 to 65535.
        name: a, type: enum, values: [p], unknown: drop  | Invalid unknown 'drop'. Use one of: reject, keep.
        name: a, type: enum, values: [p, '#7'], unknown: keep | starts:Invalid value '#7' with 'unknown: keep', which shows a code without a name like this.
        name: a, type: enum, values: [p], unknown: keep, optional: true, absent: 9 | starts:Invalid absent '9' with 'unknown: keep', which keeps this code. Use flag, or 255.
        name: a, type: enum, values: []                  | Missing 'values'. Add at least one value to the dictionary.
        name: a, type: enum                              | Missing 'values'. Add at least one value to the dictionary.
        name: a, type: enum, values: p                   | Invalid value for 'values'. Use a list: write '- ' before each element.
        name: a, type: u8, bits: 3..8                    | Invalid bits '3..8'. Use a range such as 3..5, or one bit, from 0 to 7.
        name: a, type: u8, bits: 5..3                    | Invalid bits '5..3'. Use a range such as 3..5, or one bit, from 0 to 7.
        name: a, type: u8, bits: x                       | Invalid bits 'x'. Use a range such as 3..5, or one bit, from 0 to 7.
        name: a, type: boolean, as: i8, bits: 2          | A signed bit can't store 1, only 0 and -1. Use an unsigned type, such as 'as: u8'.
        name: a, type: string                            | Missing 'length': the width in bytes.
        name: a, type: bytes, length: 0                  | Invalid length '0'. Use 1 to 1048576.
        name: a, type: string, length: 3, charset: utf9  | Invalid charset 'utf9'. Did you mean 'utf8'? Use one of: ascii, latin1, utf8.
        name: a, type: string, length: 3, pad: no        | Invalid pad 'no'. Use one of: space, zero.
        name: a, type: string, length: 3, pattern: '['   | starts:Invalid pattern '[' at index 0: Unclosed character class.
        name: a, type: string, length: 3, pattern: 'a(?=b)' | starts:Invalid pattern 'a(?=b)' at index
        name: a, type: instant                           | Missing 'unit'. Use one of: s, ms, us, ns.
        name: a, type: instant, unit: h                  | Invalid unit 'h'. Use one of: s, ms, us, ns.
        name: a, type: date, format: MM/yyyy             | Invalid format 'MM/yyyy'. Use a pattern with all parts of a value, such as dd/MM/yyyy.
        name: a, type: date, format: bbb                 | Invalid format 'bbb'. Use a pattern with all parts of a value, such as dd/MM/yyyy.
        name: a, type: u8, order: middle                 | Invalid order 'middle'. Use one of: big, little.
        name: a, type: u8, at: -1                        | Invalid at '-1'. Use 0 to 1048576.
        name: a, type: u8, optional: perhaps             | Invalid value 'perhaps' for 'optional'. Use true or false.
        name: a, type: u8, absent: 3                     | 'absent' has no effect without 'optional: true'. Add that, or remove 'absent'.
        name: a, type: u8, optional: true, absent: 256   | Invalid absent '256'. Use a number that fits u8.
        name: a, type: ipv4, optional: true, absent: 0   | Invalid absent '0'. Use flag, or leave it out.
        name: a, type: boolean, bits: 0, optional: true  | Invalid absent '1' of a boolean. Use another number; set 'absent', or more 'bits'.
        name: a, type: enum, values: [p], optional: true, absent: 0 | Invalid absent '0': it is the code of 'p'. Use another number.
        name: a, type: enum, values: [''], optional: true | Invalid empty value in an optional dictionary. Remove it: empty text means absent.
        name: a, type: string, length: 3, optional: true, required: true | 'required' and 'optional' are both true. Remove one.
        name: a, type: string, length: 9, min: 5, max: 3 | Invalid min '5'. Use at most 'max', 3.
        name: a, type: string, length: 9, min: -1        | Invalid min '-1'. Use 0 to 2147483647.
        name: a, type: string, length: 9, max: 1.5       | Invalid max '1.5'. Use a whole number.
        name: a, type: u8, min: 5, max: 3                | Invalid min '5'. Use at most 'max', 3.
        name: a, type: u8, min: 256                      | No value of u8 is between 'min' and 'max'. Use a range that contains one.
        name: a, type: u8, min: 1e999999999              | Invalid min '1e999999999'. Use a number.
        name: a, type: u8, min: 0.1, max: 0.2            | No value of u8 is between 'min' and 'max'. Use a range that contains one.
        name: a, type: u8, type: u16                     | Duplicate attribute 'type'. Remove one.
        name: a                                          | Missing 'type'.
        name: x, type: u8                                | Duplicate field, first in line 3. Rename one.
        name: a, type: u32                               | The field ends at byte 5, after 'length', 4. Correct 'at' or 'length'.
        name: a, virtual: ''                             | Missing value for 'virtual'. Use an expression.
        name: a, virtual: x, type: u8                    | Invalid attribute 'type' for a virtual field. Remove it.
        name: a, type: group                             | Missing 'fields'. Add at least one field to the group.
        name: a, type: group, optional: true, fields: [{ name: b, type: u8 }] | Invalid attribute 'optional' for type group. Remove it.
        name: a, type: group, length: 1, fields: [{ name: b, type: u16 }] | Invalid length '1'. Use at least the length of the group's fields, 2.
        """)
    void shouldRefuseAFieldThat(String field, String reason) {
        List<SchemaProblem> found = problems("schema: t\nfields:\n  - { name: x, type: u8 }\n  - { " + field + " }\n"
                + (reason.contains("after \'length\'") ? "length: 4\n" : ""));

        assertThat(found).hasSize(1);
        assertThat(found.getFirst().line()).isEqualTo(4);
        assertThat(found.getFirst().field()).isEqualTo(field.substring(6, 7));
        if (reason.startsWith("starts:")) {
            assertThat(found.getFirst().reason()).startsWith(reason.substring(7));
        } else {
            assertThat(found.getFirst().reason()).isEqualTo(reason);
        }
    }

    @Test
    void shouldRefuseNamesThatAreMissingOrNoIdentifiers() {
        assertThat(problems("schema: t\nfields:\n  - { type: u8 }\n  - { name: 1a, type: u8 }\n"))
                .containsExactly(
                        problem(3, null, ProblemCode.MISSING_VALUE, "Missing 'name' of a field."),
                        problem(
                                4,
                                "1a",
                                ProblemCode.INVALID_NAME,
                                "Invalid name '1a'. Use letters, digits and _, not starting with a digit."));
    }

    @Test
    void shouldRefuseWhatIsWrongWithTheSchemaItself() {
        assertThat(problems("""
            schema: other
            layout: tiered
            byte-order: network
            lenght: 5
            """))
                .extracting(SchemaProblem::line, SchemaProblem::reason)
                .containsExactly(
                        tuple(1, "Invalid schema name 'other'. Use the name of the file, t."),
                        tuple(1, "Missing 'fields'. Add at least one field."),
                        tuple(2, "Invalid layout 'tiered'. Use one of: fixed, tagged, compact."),
                        tuple(3, "Invalid byte-order 'network'. Use one of: big, little."),
                        tuple(
                                4,
                                "Unknown attribute 'lenght'. Did you mean 'length'? Use one of: byte-order,"
                                        + " constraints, extends, fields, layout, length, schema, types."));
        assertThat(problems("fields: [{ name: a, type: u8 }]"))
                .extracting(SchemaProblem::reason)
                .containsExactly("Missing 'schema': the name of the record type.");
    }

    @Test
    void shouldReportSeveralProblemsAtOnce() {
        SchemaException refused = catchThrowableOfType(SchemaException.class, () -> read("""
            schema: t
            fields:
              - { name: a, type: u9 }
              - { name: b, type: u8, at: 0 }
              - { name: c, type: decimal, scale: 20, as: i63 }
              - { name: d, type: u16, at: 0 }
            """));

        assertThat(refused).hasMessage("""
            some/folder/t.yml:3: Field 'a': Unknown type 'u9'. Did you mean 'u8'? Use one of: boolean, bytes, date, decimal, enum, f32, \
            f64, group, i16, i24, i32, i40, i48, i56, i64, i8, instant, ipv4, ipv6, string, u16, u24, u32, u40, u48, \
            u56, u64, u8. [unknown-type]
            some/folder/t.yml:5: Field 'c': Invalid as 'i63'. Did you mean 'i64'? Use one of: %s. [invalid-value]
            some/folder/t.yml:5: Field 'c': Invalid scale '20'. Use 0 to 18. [invalid-number]
            some/folder/t.yml:6: Field 'd': The field overlaps field 'b', which takes bytes 0..0. Correct 'at', or use different 'bits'. \
            [overlapping-fields]\
            """.formatted(
                        "i64, i8, u8, i16, u16, i24, u24, i32, u32, i40, u40, i48, u48, i56, u56, u64"));
    }

    @Test
    void shouldRefuseANameTwiceInTheTaggedLayout() {
        assertThat(problems("""
            schema: t
            layout: tagged
            elements: { tag: 1, length: 1 }
            fields:
              - { name: a, tag: 1, type: u8 }
              - { name: b, virtual: a }
              - { name: b, virtual: a }
            """))
                .containsExactly(
                        problem(7, "b", ProblemCode.DUPLICATE_NAME, "Duplicate field, first in line 6. Rename one."));
    }

    @Test
    void shouldPointAtTheLineThatIsNoYaml() {
        assertThat(problems("schema: t\nfields:\n  - { name: a ]\n").getFirst().line())
                .isEqualTo(3);
        assertThat(problems(""))
                .extracting(SchemaProblem::reason)
                .containsExactly("The file is empty. Write at least 'schema' and 'fields'.");
        assertThat(problems("just text"))
                .extracting(SchemaProblem::reason)
                .first()
                .isEqualTo("Invalid value. Use a mapping of names to values, such as { name: id, type: i64 }.");
        assertThat(problems("schema: t\nfields: [1]\n"))
                .extracting(SchemaProblem::line)
                .containsExactly(2);
        assertThat(problems("schema: t\n\n\u0007"))
                .extracting(SchemaProblem::line)
                .containsExactly(3);
    }

    @Test
    void shouldEndOnAnchorsThatHoldThemselves() {
        assertThat(problems("schema: t\nfields: &f\n  - { name: a, type: group, fields: *f }\n"))
                .extracting(SchemaProblem::reason)
                .anyMatch(reason -> reason.startsWith("Too many nested groups"));
        assertThat(problems("schema: t\nfields:\n  - &f { <<: *f, name: a }\n")).isNotEmpty();
    }

    @Test
    void shouldLimitHowManyFieldsRepetitionMakes() {
        assertThat(problems("""
            schema: t
            fields:
              - name: a
                type: group
                repeat: 4000
                fields: [{ name: b, type: group, repeat: 4000, fields: [{ name: c, type: u8 }] }]
            """))
                .extracting(SchemaProblem::reason)
                .contains("Invalid repeat '4000'. Use at most 4096 fields and 1048576 bytes per record.");
    }
}
