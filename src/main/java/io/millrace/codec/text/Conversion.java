package io.millrace.codec.text;

/**
 * What became of a conversion.
 *
 * @param records how many were written
 * @param bad how many could not be
 */
public record Conversion(long records, long bad) {}
