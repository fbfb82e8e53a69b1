package io.millrace.schema;

import java.io.Serializable;

/**
 * How the elements of a tagged record lie one behind the other: a tag, a length, a value. Tag and length are unsigned
 * and big-endian.
 *
 * @param tagBytes bytes of the tag, 1 to 4
 * @param lengthBytes bytes of the length, 1 to 4
 * @param lengthOfAll whether the length counts tag and length too, as in RADIUS (RFC 2865, 5), or the value alone
 */
public record ElementForm(int tagBytes, int lengthBytes, boolean lengthOfAll) implements Serializable {

    /** The attributes of RADIUS (RFC 2865, 5). */
    public static final ElementForm RADIUS = new ElementForm(1, 1, true);

    /** Most bytes of a tag, and of a length. */
    public static final int MAX_BYTES = 4;

    public ElementForm {
        if (tagBytes < 1 || tagBytes > MAX_BYTES || lengthBytes < 1 || lengthBytes > MAX_BYTES) {
            throw new IllegalArgumentException("tag of " + tagBytes + " and length of " + lengthBytes
                    + " bytes are not between 1 and " + MAX_BYTES);
        }
    }

    /** Bytes before the value. */
    public int headerLength() {
        return tagBytes + lengthBytes;
    }

    /** Short form, such as {@code 1+1 of all}; fingerprints of stored records depend on it. */
    @Override
    public String toString() {
        return tagBytes + "+" + lengthBytes + (lengthOfAll ? " of all" : " of value");
    }
}
