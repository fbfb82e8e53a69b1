package io.millrace.expression;

import io.millrace.schema.Field;

/**
 * A field and what it is set to.
 *
 * @param target of the record or added to it
 * @param expression what computes its value
 */
public record Assignment(Field target, String expression) {}
