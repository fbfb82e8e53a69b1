package io.millrace.schema;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a record that repeats, as rows: one row of fixed length per element. Immutable.
 *
 * @param path full path, such as {@code legs[]}; nested groups have further names, such as {@code legs[].fees[]}
 * @param parent index in {@link Schema#groups()} of the group whose elements contain this one, or -1 for the record
 * @param rowLength length in bytes of a row
 * @param fields fields of a row; their names are full paths. A bare element has one field, whose name is the path
 * @param bare whether each element is a single value
 */
public record RepeatedGroup(String path, int parent, int rowLength, List<Field> fields, boolean bare)
        implements Serializable {

    public RepeatedGroup {
        fields = List.copyOf(fields);
    }

    /** Returns the field of a full path, or null. */
    public @Nullable Field field(String fieldPath) {
        for (Field field : fields) {
            if (field.name().equals(fieldPath)) {
                return field;
            }
        }
        return null;
    }

    /** Returns the path without the final {@code []}, as expressions write it. */
    public String name() {
        return path.substring(0, path.length() - CompactPart.ELEMENTS.length());
    }
}
