package io.millrace.store.write;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a writer: one partition of one pipeline, and, if every instance of the service writes records of its
 * own, one instance. At most one process may write under a name at a time, which the {@link Term} determines.
 *
 * @param pipeline name of the pipeline
 * @param instance the instance, or null if all instances share the name, because the feed has positions and must be
 *     read by one of them only
 * @param partition of the pipeline, 0 or more
 * @param part data that the writer stores in addition to the pipeline's records, such as the rows of a measure; null
 *     for records
 */
public record WriterName(
        String pipeline,
        @Nullable String instance,
        int partition,
        @Nullable String part) {

    /** The part that writes rejected records to outputs. No measure has this name. */
    public static final String REJECTS = "rejects";

    private static final Pattern TEXT =
            Pattern.compile("(?<pipeline>[^#@/]+)(#(?<part>[^@/]+))?(@(?<instance>[^/]+))?/(?<partition>\\d{1,9})");

    public WriterName {
        if (partition < 0) {
            throw new IllegalArgumentException("Invalid partition " + partition + ". Must be 0 or more.");
        }
    }

    /** Returns the name of the writer of a pipeline's records that all instances share. */
    public static WriterName of(String pipeline, int partition) {
        return new WriterName(pipeline, null, partition, null);
    }

    /** Returns the name of a part of this writer, such as a measure; parts have parts. */
    public WriterName part(String name) {
        return new WriterName(pipeline, instance, partition, part == null ? name : part + "#" + name);
    }

    /** Returns the name of the same writer for another partition. */
    public WriterName inPartition(int other) {
        return new WriterName(pipeline, instance, other, part);
    }

    /** Returns the name of the writer that this is a part of. */
    public WriterName whole() {
        return part == null ? this : new WriterName(pipeline, instance, partition, null);
    }

    /**
     * Returns the stored text of the name: {@code trades/0}, {@code calls@host-1/0}, {@code trades#turnover/0}. Two
     * names are equal if their texts are, as long as pipelines and instances contain none of these separators.
     */
    public String text() {
        return pipeline + (part == null ? "" : "#" + part) + (instance == null ? "" : "@" + instance) + "/" + partition;
    }

    /**
     * Parses what {@link #text} returned.
     *
     * @throws IllegalArgumentException if the text is not a name
     */
    public static WriterName parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "Invalid writer '" + text + "'. Use PIPELINE/PARTITION or PIPELINE@INSTANCE/PARTITION.");
        }
        return new WriterName(
                matcher.group("pipeline"),
                matcher.group("instance"),
                Integer.parseInt(matcher.group("partition")),
                matcher.group("part"));
    }

    @Override
    public String toString() {
        return text();
    }
}
