package io.millrace.pipeline.definition;

/** Where a record goes at the end of its pipeline. */
public sealed interface Target {

    /** What configuration writes before the name of a channel. */
    String CHANNEL_PREFIX = "channel:";

    /** The name as configuration has it, without a prefix. */
    String name();

    /** A region of the store. */
    record RegionTarget(String name) implements Target {}

    /** A message channel of the user's. */
    record ChannelTarget(String name) implements Target {}

    /** Reads a target as configuration writes it. */
    static Target parse(String text) {
        return text.startsWith(CHANNEL_PREFIX)
                ? new ChannelTarget(text.substring(CHANNEL_PREFIX.length()).strip())
                : new RegionTarget(text.strip());
    }
}
