package io.millrace.background;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The kinds of failures of a start: of the service, of a pipeline, or of the store. The codes are stable: scripts and
 * tests may rely on them. {@code docs/reference/messages.md} says what to do about each.
 */
public enum FailureCode {
    /** The source of a feed is not the one that the pipeline read before. */
    CHANGED_FEED,
    /** The pipeline has read the feed with another number of partitions. */
    CHANGED_PARTITIONS,
    /** A pipeline that is no longer configured has read the feed. */
    RENAMED_PIPELINE,
    /** The rules have changed since the pipeline stopped in a disorderly way. */
    UNCLEAN_STOP,
    /** The rows of a table have changed since the pipeline stopped in a disorderly way, and are not stored. */
    CHANGED_TABLE,
    /** The configuration can't use a version of the rules. */
    UNUSABLE_RULES,
    /** Several processes run the pipeline under the same instance name. */
    DUPLICATE_INSTANCE,
    /** Data was stored under another definition. */
    CHANGED_DEFINITION,
    /** Stored data is corrupt. */
    CORRUPT_DATA,
    /** Another process uses the data folder. */
    LOCKED_FOLDER,
    /** The disk of the data folder has less free space than the reserve. */
    FULL_DISK,
    /** The store can't be opened for another reason. */
    UNUSABLE_STORE,
    /** A function for expressions can't be registered. */
    INVALID_FUNCTION;

    private static final Pattern CODED = Pattern.compile(".* \\[[a-z-]+]", Pattern.DOTALL);

    private final String code = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** Returns the code, such as {@code locked-folder}. */
    public String code() {
        return code;
    }

    /** Returns a message with this code at its end: {@code Folder 'data' is in use. [locked-folder]}. */
    public String message(String text) {
        return text + " [" + code + "]";
    }

    /** Returns a message with this code at its end, or the message itself if it ends with a more precise code. */
    public String messageUnlessCoded(String text) {
        return CODED.matcher(text).matches() ? text : message(text);
    }
}
