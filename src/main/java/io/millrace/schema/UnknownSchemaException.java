package io.millrace.schema;

import java.util.Collection;

/** A schema was asked for by a name that none has. */
public final class UnknownSchemaException extends RuntimeException {

    UnknownSchemaException(String name, Collection<String> known) {
        super("schema=" + name + " is not known" + NearestName.hint(name, known) + "; there are: "
                + String.join(", ", known));
    }
}
