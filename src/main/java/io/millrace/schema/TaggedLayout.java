package io.millrace.schema;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The <em>tagged</em> layout: a header, then elements of tag, length and value, which may contain elements. A pass over
 * a record writes its fields to a row, which all steps read. Immutable.
 */
public final class TaggedLayout implements Serializable {

    private static final long serialVersionUID = 1;

    /** Maximum length of a record in bytes: no datagram is longer, and stored lengths have two bytes. */
    public static final int MAX_RECORD_LENGTH = 0xFFFF;

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

    /** Returns consecutive fields of a row that contains the wanted fields. */
    List<Field> row(Function<TaggedField, Boolean> wanted) {
        List<Field> row = new ArrayList<>();
        int end = 0;
        for (TaggedField field : fields) {
            if (wanted.apply(field)) {
                Field placed = field.field().as(field.field().name(), end);
                row.add(placed);
                end = placed.end();
            }
        }
        return row;
    }

    /**
     * Returns the form of stored records. The text must not change, because fingerprints depend on it. It does not
     * depend on the known fields.
     */
    @Override
    public String toString() {
        return "tagged header " + headerLength + " elements " + form;
    }
}
