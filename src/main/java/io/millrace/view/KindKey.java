package io.millrace.view;

/**
 * A type of views of a part of records.
 *
 * @param path path of the part; empty for the record
 */
record KindKey(Class<?> type, String path) {}
