package io.millrace.codec.text;

import io.millrace.codec.RejectReason;
import java.util.List;

/**
 * A record that could not be converted.
 *
 * @param place location of the record: {@code line 3}, its first line, counted from 1 including header and blank lines,
 *     or {@code byte 78}, counted from 0
 * @param kind kind of all reasons
 * @param reasons one reason for each invalid value
 * @param values the values of a line in the order of its columns, without quotes and line end; the text of a line that
 *     can't be split into values; or the bytes of a record in hexadecimal
 */
public record BadRecord(String place, RejectReason.Kind kind, List<String> reasons, List<String> values) {

    /** Returns messages with the code of the kind at their end: {@code Truncated record: … [truncated]}. */
    public List<String> messages() {
        return reasons.stream().map(reason -> reason + " [" + kind.tag() + "]").toList();
    }

    /** Receives records that could not be converted. */
    @FunctionalInterface
    public interface Sink {
        /** Receives one record. */
        void bad(BadRecord record);
    }
}
