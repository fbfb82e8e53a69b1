package io.millrace.schema;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * An element of a tagged record whose value consists of elements.
 *
 * @param tag tag of the element
 * @param vendor required first four bytes of the value, which the inner elements follow, as in a vendor-specific
 *     attribute (RFC 2865, 5.26); null if the value begins with the inner elements
 * @param form form of the inner elements
 */
public record Container(long tag, @Nullable Long vendor, ElementForm form) implements Serializable {

    /** Returns the number of bytes in the value before the inner elements. */
    public int selectorLength() {
        return vendor == null ? 0 : Integer.BYTES;
    }

    /** Returns the tag and the vendor, separated by a dot. */
    @Override
    public String toString() {
        return vendor == null ? Long.toString(tag) : tag + "." + vendor;
    }
}
