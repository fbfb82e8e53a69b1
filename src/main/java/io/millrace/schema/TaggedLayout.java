package io.millrace.schema;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The <em>tagged</em> layout: a header, then elements that each say what they are and how long, some of which hold
 * elements again. A record has no row of its own: a pass over it finds the fields that are wanted and writes them to a
 * row, which all else reads. Immutable.
 */
public final class TaggedLayout implements Serializable {

    private static final long serialVersionUID = 1;

    /** Longest record, in bytes: no datagram is longer, and stored lengths take two bytes. */
    public static final int MAX_RECORD_LENGTH = 0xFFFF;

    private final int headerLength;
    private final ElementForm form;
    private final List<TaggedField> fields;
    private final Map<String, TaggedField> byName;

    /**
     * @param headerLength bytes before the first element
     * @param form how the outermost elements lie
     * @param fields all that can be found
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

    /** How the outermost elements lie. */
    public ElementForm form() {
        return form;
    }

    /** All that can be found, in the order of the schema. */
    public List<TaggedField> fields() {
        return fields;
    }

    /** Where a field is found, or null for one that is found nowhere: it was added on the way. */
    public @Nullable TaggedField find(String name) {
        return byName.get(name);
    }

    /** The fields of a row that has room for some of all, one behind the other. */
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
     * What stored records look like, in words that never change; which fields are known makes no difference to them.
     */
    @Override
    public String toString() {
        return "tagged header " + headerLength + " elements " + form;
    }
}
