package io.millrace.codec.text;

/**
 * The result of a conversion.
 *
 * @param records number of records written
 * @param bad number of records that could not be converted
 */
public record ConversionResult(long records, long bad) {}
