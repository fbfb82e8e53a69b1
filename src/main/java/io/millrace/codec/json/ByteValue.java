package io.millrace.codec.json;

/**
 * Writes the common values of a type straight from the bytes of a JSON text. Refuses all others, including those that
 * are not values of the field: the {@link io.millrace.codec.FieldCodec} then reads a string, and knows what is wrong.
 * Allocates nothing.
 */
interface ByteValue {

    /**
     * Writes the number that the scanner has read.
     *
     * @param at offset of the row
     * @return whether it was written
     */
    default boolean putNumber(JsonScanner json, byte[] into, int at) {
        return false;
    }

    /**
     * Writes the text that the scanner has read.
     *
     * @param at offset of the row
     * @return whether it was written
     */
    default boolean putText(JsonScanner json, byte[] into, int at) {
        return false;
    }
}
