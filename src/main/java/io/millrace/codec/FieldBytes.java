package io.millrace.codec;

/**
 * Where a field's value lies.
 *
 * @param name of the field
 * @param offset of its first byte
 * @param length in bytes
 */
public record FieldBytes(String name, int offset, int length) {}
