package io.millrace.cli.error;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The kinds of errors with which commands on files, stored data and running services end. The codes are stable: scripts
 * and tests may rely on them. {@code docs/reference/messages.md} says what to do about each. Errors of configurations,
 * schemas, expressions, records and HTTP have codes of their own, and wrong usage (exit code 2) has none.
 */
public enum CommandErrorCode {
    /** A file or folder does not exist, or can't be read or written. */
    UNREADABLE_FILE,
    /** A file contains another format than expected. */
    WRONG_CONTENT,
    /** A file is not CSV in UTF-8 with the columns of the schema. */
    INVALID_CSV,
    /** A field can't hold a value. */
    INVALID_VALUE,
    /** Samples or classes can't be imported as a schema. */
    INVALID_MODEL,
    /** The rows of a table, or the file of a built table, are invalid. */
    INVALID_TABLE,
    /** The checksums of a file are wrong. */
    CORRUPT_FILE,
    /** No schema has this name. */
    UNKNOWN_SCHEMA,
    /** The schema does not fit the command or the format. */
    SCHEMA_MISMATCH,
    /** The table has no row with this key. */
    UNKNOWN_KEY,
    /** Nothing is stored under this name. */
    UNKNOWN_NAME,
    /** A value that was given to the command can't be used. */
    INVALID_ARGUMENT,
    /** The user did not confirm a change. */
    NOT_CONFIRMED,
    /** The configuration has no tests. */
    NO_TESTS,
    /** Stored data can't be read or changed. */
    UNUSABLE_STORE,
    /** The rules of a file have mistakes. */
    RULES_INVALID,
    /** The rules of a file need a start with another configuration. */
    RULES_NOT_LIVE,
    /** Rules can't be compared. */
    SHADOW_NOT_POSSIBLE,
    /** Something that a configuration names can't be reached or used. */
    CONNECTION_FAILED,
    /** A service does not answer, or the connection has ended. */
    NO_ANSWER,
    /** Something other than a Millrace service has answered. */
    INVALID_ANSWER,
    /** A service requires authentication, or does not accept the credentials. */
    SIGN_IN,
    /** A service is not healthy, or does not answer. */
    NOT_UP;

    /** The code of an expression, or any code at the end. */
    private static final Pattern CODED = Pattern.compile("(?s).*\\bMR1\\d{3}: .*|.* \\[[a-z-]+]");

    private final String code = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** Returns the code, such as {@code unreadable-file}. */
    public String code() {
        return code;
    }

    /**
     * Returns a message with this code at its end, or the message itself if it has a more precise code: {@code File not
     * found: 'trades.csv'. [unreadable-file]}.
     */
    public String message(String text) {
        return message(text, code);
    }

    /** Returns a message with a code at its end, or the message itself if it has a more precise code. */
    public static String message(String text, String code) {
        return CODED.matcher(text).matches() ? text : text + " [" + code + "]";
    }
}
