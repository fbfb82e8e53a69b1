package io.millrace.codec.view;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The options of views. Immutable.
 *
 * @param key names of the fields by which views are ordered; empty for none
 * @param computed values of getters that are computed
 * @param factories constructors of the classes that the application has, by the type and the part that they implement
 * @param ignored classes whose own members may be lost
 * @param replacedBodies names of getters and setters whose bodies views may replace, whatever they do
 * @param fieldUse names of methods that may use fields directly
 */
record ViewOptions(
        List<String> key,
        ComputedValues computed,
        Map<KindKey, RecordFactory> factories,
        Set<Class<?>> ignored,
        Set<String> replacedBodies,
        Set<String> fieldUse) {

    /** No options. */
    static final ViewOptions NONE =
            new ViewOptions(List.of(), ComputedValues.NONE, Map.of(), Set.of(), Set.of(), Set.of());
}
