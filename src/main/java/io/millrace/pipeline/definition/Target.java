package io.millrace.pipeline.definition;

/** The destination of a record at the end of its pipeline. */
public sealed interface Target {

    /** The prefix of the name of a channel in the configuration. */
    String CHANNEL_PREFIX = "channel:";

    /** Returns the configured name without a prefix. */
    String name();

    /** A region of the store. */
    record RegionTarget(String name) implements Target {}

    /** A message channel of the application. */
    record ChannelTarget(String name) implements Target {}

    /** Parses a configured target. */
    static Target parse(String text) {
        return text.startsWith(CHANNEL_PREFIX)
                ? new ChannelTarget(text.substring(CHANNEL_PREFIX.length()).strip())
                : new RegionTarget(text.strip());
    }
}
