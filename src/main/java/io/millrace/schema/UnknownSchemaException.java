package io.millrace.schema;

import java.util.Collection;

/** Thrown when no schema has the requested name. */
public final class UnknownSchemaException extends RuntimeException {

    UnknownSchemaException(String name, Collection<String> known) {
        super("schema=" + name + " is not known" + NearestName.hint(name, known) + "; there are: "
                + String.join(", ", known));
    }
}
