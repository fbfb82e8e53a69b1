package io.millrace.schema;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A field of a tagged record: what its value is, and where in the record it is found.
 *
 * @param field the value, as the rows hold it that are made of records; its offset says nothing
 * @param containers elements that lie around it, from outside in
 * @param tag of the element that holds it, or {@link #HEADER}
 * @param occurrence which of several such elements, 0 for the first
 * @param part where in the element's value
 * @param reading how the bytes become the value
 */
public record TaggedField(Field field, List<Container> containers, long tag, int occurrence, Part part, Reading reading)
        implements Serializable {

    /** Stands for a tag where the field lies in the record's header. */
    public static final long HEADER = -1;

    /**
     * A part of a value.
     *
     * @param offset first byte, or -1 for the whole value
     * @param byKind offsets by the value's first byte, which says what kind of value it is; for other kinds the field
     *     is absent. Empty where it doesn't matter
     */
    public record Part(int offset, Map<Integer, Integer> byKind) implements Serializable {

        /** The whole value. */
        public static final Part WHOLE = new Part(-1, Map.of());
    }

    /** Where it is found, such as {@code 26.10415/22} for the 22nd of a vendor's attributes. */
    public String path() {
        if (tag == HEADER) {
            return "header";
        }
        String tags = Stream.concat(containers.stream().map(Container::toString), Stream.of(Long.toString(tag)))
                .collect(Collectors.joining("/"));
        return occurrence == 0 ? tags : tags + "[" + occurrence + "]";
    }
}
