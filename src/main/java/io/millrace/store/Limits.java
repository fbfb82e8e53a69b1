package io.millrace.store;

import java.util.List;

/** Bounds of what a question may ask for, held wherever one is made: also where a server reads it from the network. */
final class Limits {

    private Limits() {}

    /** @throws IllegalArgumentException where a list is too long */
    static void requireAtMost(int most, String name, List<?> list) {
        if (list.size() > most) {
            throw new IllegalArgumentException(
                    "Too many expressions in '" + name + "': " + list.size() + ". At most " + most + " are allowed.");
        }
    }
}
