package io.millrace.pipeline.step.enrich;

/**
 * A copy of one field from a table's row to a record's added fields.
 *
 * @param from first byte in the row
 * @param to first byte in the record's added fields
 * @param length length in bytes of the value, and of the null flag after it if the row has one
 * @param flagsMiss whether the record has a null flag there and the row does not: without a matching row, the field is
 *     absent
 * @param otherwise bytes written without a matching row if defaults are configured, including the null flag
 */
record Copy(int from, int to, int length, boolean flagsMiss, byte[] otherwise) {}
