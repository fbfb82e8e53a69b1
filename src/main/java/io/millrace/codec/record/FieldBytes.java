package io.millrace.codec.record;

/**
 * The location of a field's value.
 *
 * @param name name of the field
 * @param offset offset of the first byte
 * @param length length in bytes
 */
public record FieldBytes(String name, int offset, int length) {}
