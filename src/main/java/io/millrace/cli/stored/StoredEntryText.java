package io.millrace.cli.stored;

import io.millrace.store.catalog.CatalogEntry;
import io.millrace.store.catalog.StoredDefinition;
import java.util.Locale;

/** Describes an entry of the catalog in a phrase. */
final class StoredEntryText {

    private StoredEntryText() {}

    static String of(CatalogEntry entry) {
        StoredDefinition definition = entry.definition();
        return switch (definition.kind()) {
            case REGION -> {
                String layout = definition.property("layout");
                String key = definition.property("key");
                yield layout + " of schema " + definition.schema() + (key == null ? "" : ", key " + key)
                        + count(entry, String.valueOf(layout));
            }
            case MEASURE -> "state of a measure by " + definition.property("by") + (entry.holdsData() ? "" : ", empty");
        };
    }

    private static String count(CatalogEntry entry, String values) {
        return entry.values() == CatalogEntry.UNKNOWN
                ? ", not open on any server"
                : String.format(Locale.ROOT, ", %,d %s", entry.values(), values);
    }
}
