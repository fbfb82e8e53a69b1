package io.millrace.store.geode.region;

import io.millrace.store.catalog.DefinitionChange;
import io.millrace.store.catalog.DefinitionText;
import io.millrace.store.catalog.StoredDefinition;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.Causes;
import java.util.Map;
import org.apache.geode.cache.Region;

/**
 * The region definitions that the cluster's members use, so that all members open a region with the same definition.
 * They exist as long as any member is running: after a stop of the whole cluster, it may start with other definitions.
 * Thread-safe.
 */
public final class Definitions {

    /** Name of the region of definitions. */
    public static final String REGION = "millrace-definitions";

    private final Region<String, String> definitions;

    public Definitions(Region<String, String> definitions) {
        this.definitions = definitions;
    }

    /**
     * Publishes this member's definition of a region, before the region is opened.
     *
     * @throws StoreException if other members have opened it with another definition
     */
    public void register(String region, StoredDefinition definition) {
        String text = definitions.putIfAbsent(region, DefinitionText.write(definition));
        if (text != null) {
            requireEqual(region, definition, text);
        }
    }

    /**
     * Requires that the cluster's members have the same definition of a region.
     *
     * @throws StoreException if the definitions differ, the region is not open there, or no server answers
     */
    public void require(String region, StoredDefinition definition) {
        requireEqual(region, definition, requireThere(region));
    }

    /**
     * Returns the definition of a region that the cluster's members have open.
     *
     * @throws StoreException if it is not open there, or no server answers
     */
    public String requireThere(String region) {
        String text;
        try {
            text = definitions.get(region);
        } catch (RuntimeException e) {
            throw new StoreException("No server of the cluster answers: " + Causes.first(e), e);
        }
        if (text == null) {
            throw new StoreException(
                    "Region '" + region + "' is not open on the servers of the cluster. Start them with the"
                            + " configuration that defines it.");
        }
        return text;
    }

    private static void requireEqual(String region, StoredDefinition definition, String storedText) {
        StoredDefinition stored = DefinitionText.read(storedText);
        DefinitionChange change = DefinitionChange.between(stored, definition);
        if (!change.isNone()) {
            throw new StoreException("Region '" + region + "' is configured here in another way than on the cluster's"
                    + " members, where its data is stored:\n  " + String.join("\n  ", change.all()) + "\n  stored:     "
                    + stored + "\n  configured: " + definition);
        }
    }

    /** Returns the definitions in the memory of the cluster's members, as text by name. */
    public Map<String, String> texts() {
        return definitions;
    }
}
