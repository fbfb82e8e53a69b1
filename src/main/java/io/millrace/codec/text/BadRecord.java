package io.millrace.codec.text;

import java.util.List;

/**
 * A record that could not be converted.
 *
 * @param place where it stands, such as {@code line 3} or {@code byte 78}
 * @param reasons what is wrong: one for each bad value
 * @param values the line's values as they were read, or the record's bytes in hexadecimal
 */
public record BadRecord(String place, List<String> reasons, List<String> values) {

    /** Takes bad records as they are found. */
    @FunctionalInterface
    public interface Sink {
        /** Reports or keeps one. */
        void bad(BadRecord record);
    }
}
