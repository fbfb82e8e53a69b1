package io.millrace.pipeline.step;

/** The destination of a record at the end of its pipeline. */
public sealed interface Target {

    /** The prefix of the name of a channel in the configuration. */
    String CHANNEL_PREFIX = "channel:";

    /** The prefix of the name of an output in the configuration. */
    String OUTPUT_PREFIX = "output:";

    /** Returns the configured name without a prefix. */
    String name();

    /** Returns the configured name. */
    String text();

    /**
     * Returns the name of the channel that carries records to the target.
     *
     * @param pipeline name of the pipeline that sends them
     */
    String channel(String pipeline);

    /** A region of the store. */
    record RegionTarget(String name) implements Target {

        @Override
        public String text() {
            return name;
        }

        @Override
        public String channel(String pipeline) {
            return pipeline + ".to-" + name;
        }
    }

    /** An output under {@code millrace.outputs}. */
    record OutputTarget(String name) implements Target {

        @Override
        public String text() {
            return OUTPUT_PREFIX + name;
        }

        @Override
        public String channel(String pipeline) {
            return pipeline + ".to-" + text();
        }
    }

    /** A message channel of the application. */
    record ChannelTarget(String name) implements Target {

        @Override
        public String text() {
            return CHANNEL_PREFIX + name;
        }

        @Override
        public String channel(String pipeline) {
            return name;
        }
    }

    /** Parses a configured target. */
    static Target parse(String text) {
        if (text.startsWith(OUTPUT_PREFIX)) {
            return new OutputTarget(text.substring(OUTPUT_PREFIX.length()).strip());
        }
        return text.startsWith(CHANNEL_PREFIX)
                ? new ChannelTarget(text.substring(CHANNEL_PREFIX.length()).strip())
                : new RegionTarget(text.strip());
    }
}
