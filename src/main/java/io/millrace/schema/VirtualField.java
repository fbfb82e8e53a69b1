package io.millrace.schema;

import java.io.Serializable;

/**
 * A field that is computed from others each time it is read and takes no bytes.
 *
 * @param name unique among all names of its schema
 * @param expression what computes it
 */
public record VirtualField(String name, String expression) implements Serializable {}
