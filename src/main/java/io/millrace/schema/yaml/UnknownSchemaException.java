package io.millrace.schema.yaml;

import io.millrace.schema.NearestName;
import java.util.Collection;
import org.apiguardian.api.API;

/** Thrown when no schema has the requested name. */
@API(status = API.Status.STABLE)
public final class UnknownSchemaException extends RuntimeException {

    UnknownSchemaException(String name, Collection<String> known) {
        super("Unknown schema '" + name + "'" + hint(plain(name), known) + " Use one of: " + String.join(", ", known)
                + ", or put " + plain(name) + ".yml into the folder of schemas.");
    }

    private static String hint(String plain, Collection<String> known) {
        return known.contains(plain) ? ". Did you mean '" + plain + "'?" : NearestName.hint(plain, known);
    }

    private static String plain(String name) {
        return name.replaceFirst("\\.ya?ml$", "");
    }
}
