package io.millrace.config.plan;

import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import io.millrace.schema.evolution.SchemaDescription;
import io.millrace.schema.evolution.SchemaDifference;
import java.util.ArrayList;
import java.util.List;

/** Describes how the schemas of records that are sent to one region differ. Stateless. */
final class SentSchemas {

    private static final int MAX_SHOWN = 3;

    private SentSchemas() {}

    /** Returns the fields whose codes without a name are kept by one of the schemas only. */
    static List<String> unknownCodes(Schema first, Schema other) {
        return first.fields().stream()
                .filter(field -> {
                    Field same = other.field(field.name());
                    return same != null && keepsUnknown(field) != keepsUnknown(same);
                })
                .map(Field::name)
                .toList();
    }

    private static boolean keepsUnknown(Field field) {
        return field.type() instanceof FieldType.EnumType type
                && type.dictionary().keepsUnknown();
    }

    /** Returns a phrase that names the fields in which another schema differs from the first one. */
    static String difference(Schema first, Schema other) {
        SchemaDescription before = SchemaDescription.of(first);
        SchemaDescription now = SchemaDescription.of(other);
        List<String> differences = new ArrayList<>(SchemaDifference.between(before, now));
        unknownCodes(first, other).forEach(name -> differences.add("field '" + name + "' has another 'unknown'"));
        // A field that was added or removed changes the record as a whole too.
        List<String> fields = differences.stream()
                .filter(difference -> difference.startsWith("field "))
                .toList();
        List<String> named = fields.isEmpty() ? differences : fields;
        String shown = String.join("; ", named.subList(0, Math.min(MAX_SHOWN, named.size())));
        return named.size() > MAX_SHOWN ? shown + "; and " + (named.size() - MAX_SHOWN) + " more differences" : shown;
    }
}
