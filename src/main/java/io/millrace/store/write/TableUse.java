package io.millrace.store.write;

import io.millrace.store.error.CorruptDataException;

/**
 * The use of a version of a table: a writer processes records by its rows from a position on, until the next version is
 * used.
 *
 * @param version hash of the rows
 * @param since position of the feed
 */
public record TableUse(String version, long since) {

    /** Returns the stored text of the use: {@code VERSION since=39000}. */
    public String text() {
        return version + " since=" + since;
    }

    /**
     * Parses what {@link #text} returned.
     *
     * @throws CorruptDataException if the text is not a use
     */
    public static TableUse parse(String text) {
        int end = text.indexOf(" since=");
        try {
            return new TableUse(text.substring(0, end), Long.parseLong(text.substring(end + " since=".length())));
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw new CorruptDataException("Invalid use of a table '" + text + "'. The stored text is corrupt.", e);
        }
    }
}
