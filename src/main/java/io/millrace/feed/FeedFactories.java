package io.millrace.feed;

import io.millrace.extension.Extensions;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** Finds the kinds of feeds. */
public final class FeedFactories {

    private FeedFactories() {}

    /** Returns the built-in kinds, and those that libraries on the class path register as services. */
    @SuppressWarnings("rawtypes") // a class literal has no type arguments
    public static Extensions<FeedFactory<?>> installed() {
        List<FeedFactory<?>> factories = new ArrayList<>();
        for (FeedFactory factory : ServiceLoader.load(FeedFactory.class)) {
            factories.add(factory);
        }
        return new Extensions<>("feed", factories);
    }
}
