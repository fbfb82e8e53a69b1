package io.millrace.schema.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.schema.Choice;
import io.millrace.schema.Field;
import io.millrace.schema.RecordConstraint;
import io.millrace.schema.RepeatedGroup;
import io.millrace.schema.Schema;
import io.millrace.schema.evolution.DescriptionReader;
import io.millrace.schema.evolution.SchemaDescription;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamedTypesTest {

    private static Schema read(String yaml) {
        return SchemaReader.read("t.yml", ("schema: t\n" + yaml).getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> names(Schema schema) {
        return schema.fields().stream().map(Field::name).toList();
    }

    @ParameterizedTest
    @CsvSource({"compact", "fixed"})
    void shouldMeanTheSameAsItsFieldsWrittenOut(String layout) {
        Schema named = read("""
                layout: LAYOUT
                types:
                  Party:
                    fields:
                      - { name: name, type: string, length: 20 }
                      - { name: address, type: Address }
                  Address:
                    fields: [{ name: city, type: string, length: 10 }]
                fields:
                  - { name: id, type: i64 }
                  - { name: buyer, type: Party }
                  - { name: sellers, type: Party, repeat: 2 }
                """.replace("LAYOUT", layout));
        Schema written = read("""
                layout: LAYOUT
                fields:
                  - { name: id, type: i64 }
                  - name: buyer
                    type: group
                    fields:
                      - { name: name, type: string, length: 20 }
                      - { name: address, type: group, fields: [{ name: city, type: string, length: 10 }] }
                  - name: sellers
                    type: group
                    repeat: 2
                    fields:
                      - { name: name, type: string, length: 20 }
                      - { name: address, type: group, fields: [{ name: city, type: string, length: 10 }] }
                """.replace("LAYOUT", layout));

        assertThat(named.fingerprint()).isEqualTo(written.fingerprint());
        assertThat(named.fields()).containsExactlyElementsOf(written.fields());
        assertThat(named.groups()).isEqualTo(written.groups());
        assertThat(named.typeNames())
                .containsEntry("buyer", "Party")
                .containsEntry("sellers[]", "Party")
                .containsEntry("sellers[].address", "Address");
    }

    @Test
    void shouldBeginWithTheFieldsOfTheTypeThatIsExtended() {
        Schema schema = read("""
                layout: fixed
                types:
                  Agent:
                    extends: Party
                    fields: [{ name: fee, type: i32 }]
                  Party:
                    extends: Named
                    fields: [{ name: lei, type: string, length: 20 }]
                  Named:
                    fields: [{ name: name, type: string, length: 20 }]
                extends: Named
                fields: [{ name: agent, type: Agent }]
                """);

        assertThat(names(schema)).containsExactly("name", "agent.name", "agent.lei", "agent.fee");
    }

    @Test
    void shouldContainItselfToItsDepth() {
        Schema schema = read("""
                layout: compact
                types:
                  Node:
                    fields:
                      - { name: value, type: i32 }
                      - { name: next, type: Node, optional: true, depth: 3 }
                fields:
                  - { name: head, type: Node }
                """);

        assertThat(schema.names()).containsExactly("head.value", "head.next.value", "head.next.next.value");
        assertThat(schema.typeNames())
                .isEqualTo(Map.of(
                        "head", "Node",
                        "head.next", "Node",
                        "head.next.next", "Node",
                        "head.next.next.next", "Node"));
    }

    @Test
    void shouldContainItselfThroughOtherTypesAndLists() {
        Schema schema = read("""
                layout: compact
                types:
                  Tree:
                    fields:
                      - { name: id, type: i32 }
                      - { name: branches, type: Branch, repeat: many }
                  Branch:
                    fields:
                      - { name: tree, type: Tree, optional: true, depth: 2 }
                      - { name: length, type: i32 }
                extends: Tree
                """);

        assertThat(schema.groups().stream().map(RepeatedGroup::path))
                .containsExactly("branches[]", "branches[].tree.branches[]");
        assertThat(schema.typeNames()).containsEntry("branches[].tree.branches[].tree", "Tree");
    }

    @Test
    void shouldCountTheLevelsOfABinaryTree() {
        Schema schema = read("""
                layout: compact
                types:
                  Node:
                    fields:
                      - { name: value, type: i32 }
                      - { name: left, type: Node, optional: true, depth: 4 }
                      - { name: right, type: Node, optional: true, depth: 4 }
                extends: Node
                """);

        assertThat(names(schema).stream().filter(name -> name.endsWith("value")))
                .hasSize(1 + 2 + 4 + 8);
    }

    private static final String CHOICE = """
            layout: compact
            types:
              Leg:
                choice: [FixedLeg, FloatLeg, Leg]
                fields: [{ name: notional, type: i64 }]
              FixedLeg:
                extends: Leg
                choice: [CappedLeg, BareLeg]
                fields: [{ name: rate, type: f64 }]
              FloatLeg:
                extends: Leg
              CappedLeg:
                extends: FixedLeg
                fields: [{ name: cap, type: f64 }]
              BareLeg:
                extends: FixedLeg
            fields:
              - { name: main, type: Leg }
              - { name: fixed, type: FixedLeg, optional: true }
              - { name: legs, type: Leg, repeat: 9 }
            """;

    @Test
    void shouldHaveAGroupForEachTypeOfAChoice() {
        Schema schema = read(CHOICE);

        assertThat(schema.names())
                .contains("main.notional", "main.fixedLeg.rate", "main.fixedLeg.cappedLeg.cap", "fixed.cappedLeg.cap");
        assertThat(schema.choices().get("legs[]"))
                .isEqualTo(new Choice(Map.of("FixedLeg", "fixedLeg", "FloatLeg", "floatLeg"), true));
        assertThat(schema.choices().get("fixed"))
                .isEqualTo(new Choice(Map.of("CappedLeg", "cappedLeg", "BareLeg", "bareLeg"), false));
        assertThat(schema.constraints())
                .extracting(RecordConstraint::name, RecordConstraint::each, RecordConstraint::condition)
                .contains(
                        tuple("choice-legs", "legs", "(fixedLeg == null or floatLeg == null)"),
                        tuple(
                                "choice-fixed",
                                "",
                                "fixed == null or ((fixed.cappedLeg != null or fixed.bareLeg != null)"
                                        + " and (fixed.cappedLeg == null or fixed.bareLeg == null))"),
                        tuple(
                                "choice-legs-fixedLeg",
                                "legs",
                                "fixedLeg == null or ((fixedLeg.cappedLeg != null or fixedLeg.bareLeg != null)"
                                        + " and (fixedLeg.cappedLeg == null or fixedLeg.bareLeg == null))"));
    }

    @Test
    void shouldRefuseAConstraintWithTheNameOfThatOfAChoice() {
        assertThatThrownBy(() -> read(CHOICE + "constraints: [{ name: choice-legs, condition: 'true' }]"))
                .hasMessageContaining("Duplicate constraint 'choice-legs'. Use another name.");
    }

    /** Groups without fields, too, are in the description with which a region stores its schema. */
    @Test
    void shouldBeDescribedAsGroups() {
        Schema schema = read(CHOICE);
        Schema described = DescriptionReader.read(SchemaDescription.of(schema));

        assertThat(described.fingerprint()).isEqualTo(schema.fingerprint());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            types: []; fields: [{ name: a, type: i32 }] | 2: Invalid value for 'types'. Use a mapping of names to types.
            types: { T: {} }; fields: [{ name: a, type: T }] | Missing 'fields' of type 'T'. Add at least one field.
            types: { T: { fields: {} } }; fields: [{ name: a, type: T }] | Invalid value for 'fields'. Use a list
            types: { T: 5 }; fields: [{ name: a, type: T }] | Invalid value. Use a mapping of names to values
            types: { i32: { fields: [{ name: x, type: i8 }] } }; fields: [{ name: a, type: i32 }] | Invalid name 'i32' of a type.
            types: { 'a b': { fields: [{ name: x, type: i8 }] } }; fields: [{ name: a, type: i32 }] | Invalid name 'a b' of a type.
            types: { T: { fields: [{ name: x, type: i8 }], size: 3 } }; fields: [{ name: a, type: T }] | Unknown attribute 'size'
            types: { Party: { fields: [{ name: x, type: i8 }] } }; fields: [{ name: a, type: Prty }] | Unknown type 'Prty'. Did you mean 'Party'?
            types: { T: { fields: [{ name: x, type: i8 }] } }; fields: [{ name: a, type: T, fields: [] }] | Invalid attribute 'fields' for type T
            types: { T: { extends: U, fields: [{ name: x, type: i8 }] } }; fields: [{ name: a, type: T }] | Unknown type 'U'
            types: { T: { extends: T, fields: [{ name: x, type: i8 }] } }; fields: [{ name: a, type: T }] | Type 'T' extends itself. Remove 'extends'.
            types: { T: { extends: U, fields: [{ name: x, type: i8 }] }, U: { extends: T } }; fields: [{ name: a, type: T }] | extends itself. Remove 'extends'.
            types: { T: { fields: [{ name: x, type: i8 }] } }; extends: U | Unknown type 'U'
            types: { T: { fields: [{ name: t, type: T, optional: true }] } }; fields: [{ name: a, type: T }] | Type 'T' contains itself. Add 'depth'
            types: { T: { fields: [{ name: t, type: T, depth: 2 }] } }; fields: [{ name: a, type: T }] | so that the innermost one has no 't'. Add 'optional' or 'repeat'.
            types: { T: { fields: [{ name: x, type: i8 }, { name: t, type: T, repeat: 2, depth: 0 }] } }; fields: [{ name: a, type: T }] | Invalid depth '0'. Use 1 to 4096.
            types: { T: { fields: [{ name: x, type: i8 }, { name: t, type: T, repeat: 2, depth: 4000 }] } }; fields: [{ name: a, type: T }] | Too many nested groups. Use at most 32 levels.
            types: { T: { fields: [{ name: x, type: i8 }, { name: l, type: T, optional: true, depth: 30 }, { name: r, type: T, optional: true, depth: 30 }] } }; fields: [{ name: a, type: T }] | Too many fields. Use at most 4096.
            types: { T: { fields: [{ name: x, type: i8 }, { name: x, type: i8 }] } }; fields: [{ name: a, type: T }] | Duplicate field
            types: { T: { choice: [U], fields: [{ name: x, type: i8 }] } }; fields: [{ name: a, type: T }] | Unknown type 'U'
            types: { T: { choice: [U], fields: [{ name: x, type: i8 }] }, U: { fields: [{ name: y, type: i8 }] } }; fields: [{ name: a, type: T }] | Type 'U' does not extend 'T'. Add 'extends: T' to it.
            types: { T: { choice: [U, U], fields: [{ name: x, type: i8 }] }, U: { extends: T } }; fields: [{ name: a, type: T }] | Duplicate type 'U'. Remove one.
            types: { T: { choice: [U], fields: [{ name: u, type: i8 }] }, U: { extends: T } }; fields: [{ name: a, type: T }] | Duplicate field
            types: { T: { choice: [[U]], fields: [{ name: x, type: i8 }] } }; fields: [{ name: a, type: T }] | Unknown type ''
            fields: [{ name: a, type: i8, depth: 3 }] | Invalid attribute 'depth' for type i8
            """)
    void shouldReportMistakes(String yaml, String message) {
        assertThatThrownBy(() -> read("layout: compact\n" + yaml.replace("; ", "\n")))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining(message.replaceFirst("^[0-9]: ", ""));
    }

    @Test
    void shouldRefuseAChoiceInTheFixedLayout() {
        assertThatThrownBy(() -> read(CHOICE.replace("compact", "fixed").replace(", optional: true", "")))
                .hasMessageContaining("Type 'Leg' has a choice, which the fixed layout can't have.");
    }

    @Test
    void shouldRefuseTypesInTheTaggedLayout() {
        assertThatThrownBy(() -> read("layout: tagged\ntypes: { T: { fields: [{ name: x, type: i8 }] } }\nfields: []"))
                .hasMessageContaining("Invalid attribute 'types' for layout tagged. Remove it.");
    }

    @Test
    void shouldReportTheMistakeOfATypeForEachFieldOnItsLine() {
        assertThatThrownBy(() -> read("""
                layout: compact
                types:
                  T:
                    fields:
                      - { name: x, type: i9 }
                fields:
                  - { name: a, type: T }
                """)).hasMessageContaining("t.yml:6").hasMessageContaining("a.x");
    }
}
