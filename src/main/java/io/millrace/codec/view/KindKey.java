package io.millrace.codec.view;

/**
 * A type of views of a part of records.
 *
 * @param path path of the part; empty for the record
 */
record KindKey(Class<?> type, String path) {}
