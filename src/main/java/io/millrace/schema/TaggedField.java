package io.millrace.schema;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A field of a tagged record: its value, and its location in the record.
 *
 * @param field the value in rows; its offset has no meaning
 * @param containers elements that contain it, outermost first
 * @param tag tag of its element, or {@link #HEADER}
 * @param occurrence index among the elements with this tag, from 0
 * @param part location in the element's value
 * @param reading conversion of the bytes to the value
 */
public record TaggedField(Field field, List<Container> containers, long tag, int occurrence, Part part, Reading reading)
        implements Serializable {

    /** Replaces the tag of a field in the record's header. */
    public static final long HEADER = -1;

    /**
     * A part of a value.
     *
     * @param offset offset of the first byte, or -1 for the whole value
     * @param byKind offsets by the value's first byte, its kind; the field is absent in other kinds. Empty if the
     *     offset is the same for all kinds
     */
    public record Part(int offset, Map<Integer, Integer> byKind) implements Serializable {

        /** The whole value. */
        public static final Part WHOLE = new Part(-1, Map.of());
    }

    /** Returns the location, such as {@code 26.10415/22} for attribute 22 of a vendor. */
    public String path() {
        if (tag == HEADER) {
            return "header";
        }
        String tags = Stream.concat(containers.stream().map(Container::toString), Stream.of(Long.toString(tag)))
                .collect(Collectors.joining("/"));
        return occurrence == 0 ? tags : tags + "[" + occurrence + "]";
    }

    /** Returns everything that determines the field's value in a record, and its name. The text must not change. */
    String source() {
        String forms = containers.stream()
                .map(container -> container + " " + container.form())
                .collect(Collectors.joining("/"));
        return field.name() + ':' + SchemaFingerprint.meaning(field.type()) + " at " + path() + " in " + forms
                + " from " + part.offset() + " " + new TreeMap<>(part.byKind()) + " as " + reading;
    }
}
