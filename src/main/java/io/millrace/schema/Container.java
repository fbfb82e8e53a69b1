package io.millrace.schema;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * An element of a tagged record whose value is elements again.
 *
 * @param tag of the element
 * @param vendor what the first four bytes of its value must be, as in a vendor-specific attribute (RFC 2865, 5.26); the
 *     inner elements lie behind them. Null where they begin at once
 * @param form how the inner elements lie
 */
public record Container(long tag, @Nullable Long vendor, ElementForm form) implements Serializable {

    /** Bytes of the value before the inner elements. */
    public int selectorLength() {
        return vendor == null ? 0 : Integer.BYTES;
    }

    /** As people write it: the tag, then the vendor. */
    @Override
    public String toString() {
        return vendor == null ? Long.toString(tag) : tag + "." + vendor;
    }
}
