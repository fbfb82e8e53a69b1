package io.millrace.schema;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The <em>tagged</em> layout: a header, then elements of tag, length and value, which may contain elements. A pass over
 * a record writes its fields to a row, which all steps read. Immutable.
 */
public final class TaggedLayout extends RecordLayout {

    public static final String NAME = "tagged";

    private static final long serialVersionUID = 1;

    private final int headerLength;
    private final ElementForm form;
    private final List<TaggedField> fields;
    private final Map<String, TaggedField> byName;

    /**
     * @param headerLength bytes before the first element
     * @param form form of the outermost elements
     * @param fields all fields that records may contain
     */
    public TaggedLayout(int headerLength, ElementForm form, List<TaggedField> fields) {
        this.headerLength = headerLength;
        this.form = form;
        this.fields = List.copyOf(fields);
        this.byName =
                fields.stream().collect(Collectors.toMap(field -> field.field().name(), Function.identity()));
    }

    private Object writeReplace() {
        return new Written(headerLength, form, fields);
    }

    private record Written(int headerLength, ElementForm form, List<TaggedField> fields) implements Serializable {
        private Object readResolve() {
            return new TaggedLayout(headerLength, form, fields);
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean variesInLength() {
        return true;
    }

    public int headerLength() {
        return headerLength;
    }

    /** Returns the form of the outermost elements. */
    public ElementForm form() {
        return form;
    }

    /** Returns all fields that records may contain, in the order of the schema. */
    public List<TaggedField> fields() {
        return fields;
    }

    /** Returns the location of a field, or null for a field that a step added. */
    public @Nullable TaggedField find(String name) {
        return byName.get(name);
    }

    @Override
    public int maxLength() {
        return MAX_VARYING_LENGTH;
    }

    @Override
    public @Nullable String path(String field) {
        TaggedField found = find(field);
        return found == null ? null : found.path();
    }

    /**
     * Records that lack a required field are not readable, so this also determines of which records there are values.
     */
    @Override
    String source(String field) {
        TaggedField found = find(field);
        return fields.stream()
                .filter(each -> !each.field().optional())
                .map(TaggedField::source)
                .sorted()
                .collect(Collectors.joining("\n", found == null ? "\n" : found.source() + "\n", ""));
    }

    @Override
    List<String> outerNames(Schema schema) {
        return schema.fields().stream().map(Field::name).toList();
    }

    @Override
    Schema schema(String schemaName, List<VirtualField> virtualFields) {
        return schema(schemaName, _ -> true, virtualFields);
    }

    @Override
    Schema project(Schema schema, Set<String> wanted) {
        Schema projected = schema(
                schema.name(),
                field -> !field.optional() || wanted.contains(field.name()),
                List.copyOf(schema.virtualFields()));
        return projected.extend(schema.added());
    }

    @Override
    Schema stored(Schema schema) {
        return schema.base().extend(schema.added());
    }

    /** Returns the schema of a row that contains some of the fields, one after the other. */
    private Schema schema(String schemaName, Predicate<Field> inRow, List<VirtualField> virtualFields) {
        List<Field> row = new ArrayList<>();
        int end = 0;
        for (TaggedField tagged : fields) {
            Field field = tagged.field();
            if (inRow.test(field)) {
                Field placed = field.as(field.name(), end);
                row.add(placed);
                end = placed.end();
            }
        }
        return new Schema(schemaName, this, end, row, virtualFields);
    }

    /** Does not depend on the known fields. */
    @Override
    public String toString() {
        return NAME + " header " + headerLength + " elements " + form;
    }
}
