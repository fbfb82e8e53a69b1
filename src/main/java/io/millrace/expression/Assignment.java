package io.millrace.expression;

import io.millrace.schema.Field;
import org.apiguardian.api.API;

/**
 * A field and the expression that computes its value.
 *
 * @param target a field of the record, or one that was added to it
 * @param expression computes the value
 */
@API(status = API.Status.STABLE)
public record Assignment(Field target, String expression) {}
