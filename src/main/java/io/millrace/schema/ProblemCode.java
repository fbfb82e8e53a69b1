package io.millrace.schema;

import java.util.Locale;
import org.apiguardian.api.API;

/**
 * The kinds of problems in configurations and schemas. The codes are stable: scripts and tests may rely on them.
 * {@code docs/reference/messages.md} says what to do about each. Problems of expressions have codes of their own.
 */
@API(status = API.Status.STABLE)
public enum ProblemCode {
    /** No property has this name here. */
    UNKNOWN_PROPERTY,
    /** No schema has this name. */
    UNKNOWN_SCHEMA,
    /** No region has this name. */
    UNKNOWN_REGION,
    /** No output has this name. */
    UNKNOWN_OUTPUT,
    /** No table has this name. */
    UNKNOWN_TABLE,
    /** No measure has this name. */
    UNKNOWN_MEASURE,
    /** No field has this name. */
    UNKNOWN_FIELD,
    /** Nothing else has this name: no alert, time zone or SSL bundle. */
    UNKNOWN_NAME,
    /** No type of fields has this name. */
    UNKNOWN_TYPE,
    /** No attribute of schemas has this name, or none of this type or layout. */
    UNKNOWN_ATTRIBUTE,
    /** A required value or file content is missing. */
    MISSING_VALUE,
    /** The value is not one that the property or attribute permits. */
    INVALID_VALUE,
    /** The name has characters that are not permitted. */
    INVALID_NAME,
    /** The text is not a number, or the number is out of range. */
    INVALID_NUMBER,
    /** The text is not a duration with a unit, or the duration is out of range. */
    INVALID_DURATION,
    /** The text is not a size with a unit, or the size is out of range. */
    INVALID_SIZE,
    /** The text is not an address or port that can be used. */
    INVALID_ADDRESS,
    /** The condition of a constraint is not a valid expression. */
    INVALID_CONDITION,
    /** A value, key or time of a measure is wrong. */
    INVALID_MEASURE,
    /** The value refers to a variable that has no value. */
    UNDEFINED_VARIABLE,
    /** The value is a list, a mapping or a text where something else is needed. */
    WRONG_STRUCTURE,
    /** The name or value is used twice. */
    DUPLICATE_NAME,
    /** Only one of the properties or attributes may be set. */
    CONFLICTING_PROPERTIES,
    /** The property or attribute has no effect together with the others. */
    NO_EFFECT,
    /** Two values that are compared have different types. */
    TYPE_MISMATCH,
    /** The schema does not fit the feed, the region or the table. */
    SCHEMA_MISMATCH,
    /** The definition of a region is invalid. */
    INVALID_REGION,
    /** Records of different kinds are sent to one region. */
    SHARED_REGION,
    /** No pipeline sends records to the region. */
    UNUSED_REGION,
    /** Neither pipelines nor regions are configured. */
    NO_PIPELINES,
    /** A step or branch is not at a place where it gets records, or the last step has no target. */
    STEP_ORDER,
    /** The text is not valid YAML. */
    INVALID_YAML,
    /** A file or folder can't be read. */
    UNREADABLE_FILE,
    /** A file contains another format than expected. */
    WRONG_CONTENT,
    /** The rows of a table are invalid. */
    INVALID_TABLE,
    /** Requests would be accepted without sufficient authentication. */
    INSECURE_ACCESS,
    /** Two fields use the same bytes of a record. */
    OVERLAPPING_FIELDS,
    /** A field or a value does not fit into the space that it has. */
    OUT_OF_RANGE,
    /** A limit of schemas is exceeded. */
    TOO_LARGE;

    private final String code = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** Returns the code, such as {@code unknown-property}. */
    public String code() {
        return code;
    }

    /** Returns a message with this code at its end: {@code Unknown property 'filtre'. [unknown-property]}. */
    public String message(String text) {
        return text + " [" + code + "]";
    }
}
