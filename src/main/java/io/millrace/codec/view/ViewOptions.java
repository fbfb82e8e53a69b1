package io.millrace.codec.view;

import java.util.List;
import java.util.Map;

/**
 * The options of views. Immutable.
 *
 * @param key names of the fields by which views are ordered; empty for none
 * @param computed values of getters that are computed
 * @param factories constructors of the classes that the application has, by the type that they implement
 */
record ViewOptions(List<String> key, ComputedValues computed, Map<Class<?>, RecordFactory> factories) {

    /** No options. */
    static final ViewOptions NONE = new ViewOptions(List.of(), ComputedValues.NONE, Map.of());
}
