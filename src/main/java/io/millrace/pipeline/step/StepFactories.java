package io.millrace.pipeline.step;

import io.millrace.extension.Extensions;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** Finds the kinds of steps. */
public final class StepFactories {

    private StepFactories() {}

    /** Returns the built-in kinds, and those that libraries on the class path register as services. */
    @SuppressWarnings("rawtypes") // a class literal has no type arguments
    public static Extensions<StepFactory<?>> installed() {
        List<StepFactory<?>> factories = new ArrayList<>();
        for (StepFactory factory : ServiceLoader.load(StepFactory.class)) {
            factories.add(factory);
        }
        return new Extensions<>("step", factories);
    }
}
