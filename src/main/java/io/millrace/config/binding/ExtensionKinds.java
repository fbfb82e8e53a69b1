package io.millrace.config.binding;

import io.millrace.extension.Extensions;
import io.millrace.feed.FeedFactory;
import io.millrace.output.OutputFactory;
import io.millrace.pipeline.step.StepFactory;

/** The kinds of feeds, steps and outputs that a configuration can use. */
public record ExtensionKinds(
        Extensions<FeedFactory<?>> feeds, Extensions<StepFactory<?>> steps, Extensions<OutputFactory<?>> outputs) {

    /** Returns the built-in kinds, and those that libraries on the class path register as services. */
    public static ExtensionKinds installed() {
        return new ExtensionKinds(
                Extensions.installed("feed", FeedFactory.class),
                Extensions.installed("step", StepFactory.class),
                Extensions.installed("output", OutputFactory.class));
    }
}
