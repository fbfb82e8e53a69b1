package io.millrace.schema.evolution;

import io.millrace.schema.FixedLayout;
import io.millrace.schema.evolution.SchemaDescription.FieldDescription;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Describes the differences of two schemas for messages. */
public final class SchemaDifference {

    private SchemaDifference() {}

    /**
     * Returns a phrase for each field that differs and for differences of the records as a whole. Empty if the same
     * bytes mean the same in both schemas.
     *
     * @param stored schema of the stored records
     * @param configured schema of new records
     */
    public static List<String> between(SchemaDescription stored, SchemaDescription configured) {
        if (stored.sameBytes(configured)) {
            return List.of();
        }
        List<String> differences = new ArrayList<>();
        Map<String, FieldDescription> before = byName(stored);
        Map<String, FieldDescription> now = byName(configured);
        before.forEach((name, field) -> {
            FieldDescription other = now.get(name);
            if (other == null) {
                differences.add("field '" + name + "' (" + field + ") was removed");
            } else if (!field.equals(other)) {
                differences.add("field '" + name + "' changed" + change(field, other));
            }
        });
        now.forEach((name, field) -> {
            if (!before.containsKey(name)) {
                differences.add("field '" + name + "' was added (" + field + ")");
            }
        });
        if (stored.isCompact() && differences.isEmpty() && !inOrder(stored, configured)) {
            differences.add("the order of fields changed");
        }
        String records = records(stored);
        if (!records.equals(records(configured))) {
            differences.add(records + " are stored, " + of(configured) + " are configured");
        }
        if (!stored.layout().equals(FixedLayout.NAME) && !stored.name().equals(configured.name())) {
            differences.add("packets of schema '" + stored.name() + "' are stored, of schema '" + configured.name()
                    + "' are configured");
        }
        return differences;
    }

    /** Returns the path of the group that contains a field; empty if it is the record. */
    static String group(String name) {
        int dot = name.lastIndexOf('.');
        return dot < 0 ? "" : name.substring(0, dot);
    }

    /** Returns whether the fields that both schemas have follow each other in the same order. */
    private static boolean inOrder(SchemaDescription stored, SchemaDescription configured) {
        Set<String> before = byName(stored).keySet();
        List<String> now = new ArrayList<>(byName(configured).keySet());
        now.retainAll(before);
        return now.equals(new ArrayList<>(before));
    }

    private static Map<String, FieldDescription> byName(SchemaDescription schema) {
        Map<String, FieldDescription> fields = new LinkedHashMap<>();
        schema.fields().forEach(field -> fields.put(field.name(), field));
        return fields;
    }

    static String records(SchemaDescription schema) {
        return "records " + of(schema);
    }

    static String of(SchemaDescription schema) {
        return schema.recordLength() == 0
                ? "of the layout '" + schema.layout() + "'"
                : "of " + schema.recordLength() + " bytes";
    }

    static String change(FieldDescription stored, FieldDescription configured) {
        if (!stored.toString().equals(configured.toString())) {
            return " from " + stored + " to " + configured;
        }
        List<String> names = new ArrayList<>();
        SortedMap<Integer, String> before = values(stored.values());
        SortedMap<Integer, String> now = values(configured.values());
        before.forEach((code, name) -> {
            String other = now.get(code);
            if (other == null) {
                names.add(code + " '" + name + "' was removed");
            } else if (!Objects.equals(name, other)) {
                names.add(code + " '" + name + "' became '" + other + "'");
            }
        });
        now.forEach((code, name) -> {
            if (!before.containsKey(code)) {
                names.add(code + " '" + name + "' was added");
            }
        });
        return ": " + String.join(", ", names);
    }

    private static SortedMap<Integer, String> values(@Nullable SortedMap<Integer, String> values) {
        return values == null ? new TreeMap<>() : values;
    }
}
