package io.millrace.store.catalog;

import io.millrace.background.FailureCode;
import io.millrace.store.catalog.StoredDefinition.Kind;

/**
 * The message for stored data that can't be used with the configured definition: the differences, and possible actions.
 */
public final class Refusal {

    private Refusal() {}

    /** Returns a description of the differences, both definitions, and the choices. */
    public static String describe(String name, StoredDefinition stored, StoredDefinition configured) {
        StringBuilder text = new StringBuilder(subject(name, stored))
                .append(" was stored under another definition, with which its data can't be used:");
        DefinitionChange.between(stored, configured)
                .all()
                .forEach(difference -> text.append("\n  ").append(difference));
        text.append("\n  stored:     ")
                .append(stored)
                .append("\n  configured: ")
                .append(configured)
                .append('\n')
                .append(choices(name, stored));
        return FailureCode.CHANGED_DEFINITION.message(text.toString());
    }

    /** Returns a catalog name as the subject of a sentence. */
    static String subject(String name, StoredDefinition definition) {
        return (definition.kind() == Kind.MEASURE ? "Measure '" + measure(name) : "Region '" + name) + "'";
    }

    private static String measure(String name) {
        return name.substring(name.indexOf('/') + 1);
    }

    private static String choices(String name, StoredDefinition stored) {
        return stored.kind() == Kind.MEASURE
                ? "To continue with what is counted, restore the stored definition. To count with the new one, give the"
                        + " measure another name, or stop the service and reset the measure, with the rows that it"
                        + " stored: 'millrace regions remove " + name + " CONFIG'."
                : "To keep the data, restore the stored definition, or give the new one a region of another name. To"
                        + " discard the data, stop the service and run 'millrace regions remove " + name + " CONFIG'.";
    }
}
