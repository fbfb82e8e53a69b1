package io.millrace.codec.json;

/** How the values of records are written as JSON, where that differs. */
public enum JsonForm {
    /**
     * As in files: absent members are left out, dates and instants have the format of the field, bytes are hexadecimal,
     * floats of four bytes have the digits that restore them.
     */
    FILE,

    /**
     * As in the HTTP API: absent members are null, absent lists are empty, dates and instants are in ISO 8601, bytes
     * are Base64, all floats are written as doubles.
     */
    API
}
