package io.millrace.codec.text;

import java.util.List;

/**
 * A record that could not be converted.
 *
 * @param place where it stands, such as {@code line 3}, the first that it takes, counted from 1 with header and blank
 *     lines, or {@code byte 78}, counted from 0
 * @param reasons what is wrong: one for each bad value
 * @param values the line's values as they were read, without the quotes and line end that the file had around them, in
 *     the order of its columns; or the record's bytes in hexadecimal
 */
public record BadRecord(String place, List<String> reasons, List<String> values) {

    /** Takes bad records as they are found. */
    @FunctionalInterface
    public interface Sink {
        /** Reports or keeps one. */
        void bad(BadRecord record);
    }
}
