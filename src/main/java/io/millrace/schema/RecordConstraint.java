package io.millrace.schema;

import java.io.Serializable;
import org.apiguardian.api.API;

/**
 * A condition that every valid record meets, or every element of a repeating part. Immutable.
 *
 * @param name name, unique in the schema
 * @param each name of the repeating part whose elements have to meet the condition, such as {@code legs.fees}; empty if
 *     the record has to
 * @param condition SpEL expression; in a constraint on elements, names belong to the element
 * @param message description of a valid record for messages, such as {@code the end must be after the start}
 */
@API(status = API.Status.STABLE)
public record RecordConstraint(String name, String each, String condition, String message) implements Serializable {}
