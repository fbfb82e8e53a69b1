package io.millrace.schema.evolution;

import io.millrace.schema.CompactGroup;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.CompactMember;
import io.millrace.schema.CompactPart;
import io.millrace.schema.CompactValue;
import io.millrace.schema.ElementForm;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.FixedLayout;
import io.millrace.schema.RecordLayout;
import io.millrace.schema.Schema;
import io.millrace.schema.TaggedLayout;
import io.millrace.schema.evolution.SchemaDescription.FieldDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Creates the schema of a {@linkplain SchemaDescription description}. Not thread-safe. */
public final class DescriptionReader {

    private static final Pattern TAGGED =
            Pattern.compile(TaggedLayout.NAME + " header (\\d+) elements (\\d+)\\+(\\d+) of (all|value)");

    private final SchemaDescription description;
    private final List<FieldDescription> fields;
    private int next;

    private DescriptionReader(SchemaDescription description) {
        this.description = description;
        this.fields = description.fields();
    }

    /**
     * Returns a schema with a description, in which the same bytes have the same values as in the schema that was
     * described. It has no labels, formats, constraints or computed fields. In the fixed layout, fields that steps
     * added are ordinary fields. In the compact layout, lists have any number of elements. In the tagged layout, the
     * schema has only the fields that steps added, because a description contains no others.
     *
     * @throws IllegalArgumentException if no schema has this description, for instance because its fingerprint is that
     *     of other fields
     */
    public static Schema read(SchemaDescription description) {
        try {
            Schema schema =
                    new DescriptionReader(description).schema().named(description.formerNames(), Map.of(), Map.of());
            if (!SchemaDescription.of(schema).equals(description)) {
                throw new IllegalArgumentException("Its fields have fingerprint " + schema.fingerprintHex() + ".");
            }
            return schema;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "Invalid description of schema '" + description.name() + "' with fingerprint "
                            + description.fingerprint() + ": " + e.getMessage(),
                    e);
        }
    }

    private Schema schema() {
        String layout = description.layout();
        if (layout.equals(FixedLayout.NAME)) {
            return new Schema(description.name(), description.recordLength(), remainingFields(), List.of());
        }
        if (layout.equals(CompactLayout.NAME)) {
            return extended(new CompactLayout(new CompactGroup(members(""))));
        }
        Matcher tagged = TAGGED.matcher(layout);
        if (tagged.matches()) {
            ElementForm form = new ElementForm(
                    Integer.parseInt(tagged.group(2)),
                    Integer.parseInt(tagged.group(3)),
                    tagged.group(4).equals("all"));
            return extended(new TaggedLayout(Integer.parseInt(tagged.group(1)), form, List.of()));
        }
        throw new IllegalArgumentException("Unknown layout '" + layout + "'.");
    }

    private Schema extended(RecordLayout layout) {
        return Schema.of(description.name(), layout, List.of()).extend(remainingFields());
    }

    /** Reads all fields that have an offset. */
    private List<Field> remainingFields() {
        List<Field> placed = new ArrayList<>();
        while (next < fields.size()) {
            placed.add(placed(fields.get(next++)));
        }
        return placed;
    }

    private static Field placed(FieldDescription described) {
        Field field = Field.of(described.name(), type(described), described.offset());
        return switch (described.absent()) {
            case null -> field;
            case FieldDescription.NULL_FLAG -> field.withNullFlag();
            case String number -> field.asOptional(Long.parseLong(number));
        };
    }

    private static FieldType type(FieldDescription described) {
        return TypeText.parse(described.type(), described.values());
    }

    /**
     * Reads the members of a compact group.
     *
     * @param prefix prefix of their paths, which no other path has
     */
    private List<CompactMember> members(String prefix) {
        List<CompactMember> members = new ArrayList<>();
        while (next < fields.size()
                && fields.get(next).offset() == FieldDescription.ANYWHERE
                && fields.get(next).name().startsWith(prefix)) {
            members.add(member(fields.get(next++)));
        }
        return members;
    }

    private CompactMember member(FieldDescription described) {
        String path = described.name();
        boolean optional = described.absent() != null;
        return switch (described.type()) {
            case FieldDescription.GROUP -> part(path, optional, 0);
            case FieldDescription.LIST_OF_GROUPS -> part(path, optional, CompactPart.MAX_ELEMENTS);
            case FieldDescription.LIST_OF_VALUES -> {
                FieldDescription element = element(path);
                yield new CompactPart(
                        path,
                        optional,
                        CompactPart.MAX_ELEMENTS,
                        true,
                        new CompactGroup(List.of(value(path, element, false))));
            }
            default -> value(path, described, optional);
        };
    }

    private CompactPart part(String path, boolean optional, int maxElements) {
        return new CompactPart(path, optional, maxElements, false, new CompactGroup(members(path + ".")));
    }

    /** Reads the type of the elements of a list of values. */
    private FieldDescription element(String path) {
        if (next == fields.size()) {
            throw new IllegalArgumentException("Missing type of the elements of '" + path + "'.");
        }
        return fields.get(next++);
    }

    private static CompactValue value(String path, FieldDescription described, boolean optional) {
        Field field = Field.of(path, type(described), 0);
        return new CompactValue(optional ? field.withNullFlag() : field, frequent(field.type(), described.values()));
    }

    private static List<String> frequent(FieldType type, @Nullable SortedMap<Integer, String> values) {
        return values == null || type instanceof FieldType.EnumType ? List.of() : List.copyOf(values.values());
    }
}
