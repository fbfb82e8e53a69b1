package io.millrace.schema;

import java.io.Serializable;

/**
 * The form of consecutive elements of a tagged record: tag, length, value. Tag and length are unsigned and big-endian.
 *
 * @param tagBytes bytes of the tag, 1 to 4
 * @param lengthBytes bytes of the length, 1 to 4
 * @param lengthOfAll whether the length includes tag and length, as in RADIUS (RFC 2865, 5), or only the value
 */
public record ElementForm(int tagBytes, int lengthBytes, boolean lengthOfAll) implements Serializable {

    /** The attributes of RADIUS (RFC 2865, 5). */
    public static final ElementForm RADIUS = new ElementForm(1, 1, true);

    /** Maximum bytes of a tag and of a length. */
    public static final int MAX_BYTES = 4;

    public ElementForm {
        if (tagBytes < 1 || tagBytes > MAX_BYTES || lengthBytes < 1 || lengthBytes > MAX_BYTES) {
            throw new IllegalArgumentException("Invalid widths of tag and length: " + tagBytes + " and " + lengthBytes
                    + " bytes. Use 1 to " + MAX_BYTES + ".");
        }
    }

    /** Returns the number of bytes before the value. */
    public int headerLength() {
        return tagBytes + lengthBytes;
    }

    /**
     * Returns a short form, such as {@code 1+1 of all}. It must not change, because fingerprints of stored records
     * depend on it.
     */
    @Override
    public String toString() {
        return tagBytes + "+" + lengthBytes + (lengthOfAll ? " of all" : " of value");
    }
}
