package io.millrace.codec.json;

/** How dates and instants are written as JSON; all other values have one form. */
public enum JsonForm {
    /** As in files: in the format of the field, if it has one, so that they can be read again. */
    FILE,

    /** As in the HTTP API: in ISO 8601. */
    API
}
