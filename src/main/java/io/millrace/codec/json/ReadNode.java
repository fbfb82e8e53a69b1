package io.millrace.codec.json;

/** Reads the value of a member into a row. Not thread-safe. */
interface ReadNode {

    /**
     * Reads a value, of which {@link JsonScanner#peek} shows the first byte. Reports errors to the input and continues.
     *
     * @param at offset of the row
     * @param parent index of the row, of which elements are children
     */
    void read(JsonInput json, byte[] into, int at, int parent);

    /** Returns whether an object without this member is an error. */
    boolean required();
}
