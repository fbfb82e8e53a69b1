package io.millrace.output;

import io.millrace.extension.Extensions;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** Finds the kinds of outputs. */
public final class OutputFactories {

    private OutputFactories() {}

    /** Returns the built-in kinds, and those that libraries on the class path register as services. */
    @SuppressWarnings("rawtypes") // a class literal has no type arguments
    public static Extensions<OutputFactory<?>> installed() {
        List<OutputFactory<?>> factories = new ArrayList<>();
        for (OutputFactory factory : ServiceLoader.load(OutputFactory.class)) {
            factories.add(factory);
        }
        return new Extensions<>("output", factories);
    }
}
