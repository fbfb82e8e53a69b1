package io.millrace.store.write;

import io.millrace.store.error.CorruptDataException;
import java.time.Instant;

/**
 * The use of a version of rules: a pipeline processes records by it from a position on, until the next version is used.
 *
 * @param version number of the version
 * @param writer text of the pipeline's writer name; feeds without positions have one for each instance
 * @param since position of the feed; 0 for a feed without positions
 * @param time when it was first used, to the millisecond
 * @param process the process that used it first
 */
public record RuleUse(long version, String writer, long since, Instant time, String process) {

    /** Returns the stored text of the use, without version and writer: {@code since=39000 time=... process=...}. */
    public String text() {
        return "since=" + since + " time=" + time + " process=" + process;
    }

    /**
     * Parses what {@link #text} returned.
     *
     * @throws CorruptDataException if the text is not a use
     */
    public static RuleUse parse(long version, String writer, String text) {
        String[] parts = text.split(" ", 3);
        try {
            return new RuleUse(
                    version,
                    writer,
                    Long.parseLong(value(parts[0], "since=")),
                    Instant.parse(value(parts[1], "time=")),
                    value(parts[2], "process="));
        } catch (RuntimeException e) {
            throw new CorruptDataException("Invalid use of rules '" + text + "'. The stored text is corrupt.", e);
        }
    }

    private static String value(String part, String key) {
        if (!part.startsWith(key)) {
            throw new IllegalArgumentException(key + " is missing");
        }
        return part.substring(key.length());
    }
}
