package io.millrace.pipeline.chain;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a step is among the channels of its pipeline.
 *
 * @param name name of the step
 * @param channel name of the channel on which it receives batches
 * @param output name of the channel to which it passes them on; null if it is the last, or sends them to targets
 * @param targets names of the channels of its targets, in order; empty if it has none
 */
public record StepPlace(
        String name, String channel, @Nullable String output, List<String> targets) {

    public StepPlace {
        targets = List.copyOf(targets);
    }

    /** Returns the place of a step that has the name of its channel, and is the last. */
    public static StepPlace last(String channel) {
        return new StepPlace(channel, channel, null, List.of());
    }

    /** Returns the place of a step that has the name of its channel. */
    public static StepPlace between(String channel, String output) {
        return new StepPlace(channel, channel, output, List.of());
    }
}
