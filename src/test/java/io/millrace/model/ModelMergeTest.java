package io.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Constraints and types of schemas that were imported and edited. */
class ModelMergeTest {

    private static Map<String, String> constraint(String name, String condition) {
        Map<String, String> constraint = new LinkedHashMap<>();
        constraint.put("name", name);
        constraint.put("condition", condition);
        return constraint;
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // they are only read
    private static ModelSchema schema(Map<String, String>... constraints) {
        ModelSchema schema = ModelSchema.of("t", "compact");
        schema.constrain(List.of(constraints));
        return schema;
    }

    @Test
    void shouldMergeConstraintsByName() {
        ModelSchema last = schema(
                constraint("same", "a > 1"),
                constraint("edited", "a > 2"),
                constraint("changed", "a > 3"),
                constraint("gone", "a > 4"),
                constraint("removed", "a > 5"));
        ModelSchema current = schema(
                constraint("same", "a > 1"),
                constraint("edited", "a > 20"),
                constraint("changed", "a > 3"),
                constraint("gone", "a > 4"),
                constraint("mine", "a > 6"));
        ModelSchema imported = schema(
                constraint("same", "a > 1"),
                constraint("edited", "a > 2"),
                constraint("changed", "a > 30"),
                constraint("removed", "a > 5"),
                constraint("added", "a > 7"));

        ModelMerge.Result merge = ModelMerge.merge(current, last, imported);

        assertThat(merge.schema().constraints())
                .containsExactly(
                        constraint("same", "a > 1"),
                        constraint("edited", "a > 20"),
                        constraint("changed", "a > 30"),
                        constraint("mine", "a > 6"),
                        constraint("added", "a > 7"));
        assertThat(merge.changes())
                .containsExactly(
                        "~ constraint changed: a > 30", "- constraint gone: a > 4", "+ constraint added: a > 7");
        assertThat(merge.notes())
                .containsExactly(
                        "= constraint edited was changed by hand, and stays as it is",
                        "= constraint removed was changed by hand, and stays as it is");
        assertThat(ModelReader.read(ModelWriter.write(merge.schema())).constraints())
                .isEqualTo(merge.schema().constraints());
    }

    private static ModelSchema types(String types) {
        String text = "# head\nschema: t\nlayout: compact\n" + types + "fields:\n  - { name: buyer, type: Party }\n";
        ModelSchema read = ModelReader.read(text);
        assertThat(ModelWriter.write(read)).isEqualTo(text);
        return read;
    }

    @Test
    void shouldMergeTheFieldsOfTypes() {
        ModelSchema last = types("""
                types:
                  Party:
                    fields:
                      - { name: name, type: string, length: 20 }
                      - { name: lei, type: string, length: 20 }
                  Old:
                    fields:
                      - { name: x, type: i8 }
                """);
        ModelSchema current = types("""
                types:
                  # of the contract
                  Party:  # seen twice
                    fields:
                      - { name: name, type: string, length: 99 }
                      # lei
                      - { name: lei, type: string, length: 20 }
                  Old:
                    fields:
                      - { name: x, type: i8 }
                  Mine:
                    extends: Party
                    fields:
                      - { name: y, type: i8 }
                """);
        ModelSchema imported = types("""
                types:
                  Party:
                    fields:
                      - { name: name, type: string, length: 20 }
                      - { name: lei, type: string, length: 30 }
                  New:
                    fields:
                      - { name: z, type: i8 }
                """);

        ModelMerge.Result merge = ModelMerge.merge(current, last, imported);

        assertThat(ModelWriter.write(merge.schema())).isEqualTo("""
                # head
                schema: t
                layout: compact
                types:
                  # of the contract
                  Party:  # seen twice
                    fields:
                      - { name: name, type: string, length: 99 }
                      # lei
                      - { name: lei, type: string, length: 30 }
                  Mine:
                    extends: Party
                    fields:
                      - { name: y, type: i8 }
                  New:
                    fields:
                      - { name: z, type: i8 }
                fields:
                  - { name: buyer, type: Party }
                """);
        assertThat(merge.changes())
                .containsExactly(
                        "~ types.Party.lei: length 20 -> 30",
                        "- types.Old: type",
                        "+ types.New: type",
                        "+ types.New.z: i8");
        assertThat(merge.notes()).containsExactly("= types.Party.name: length 99 (import: 20) stays, changed by hand");
    }
}
