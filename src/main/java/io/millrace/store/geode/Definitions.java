package io.millrace.store.geode;

import io.millrace.store.StoreException;
import io.millrace.store.catalog.DefinitionChange;
import io.millrace.store.catalog.DefinitionText;
import io.millrace.store.catalog.StoredDefinition;
import java.util.Map;
import org.apache.geode.cache.Region;

/**
 * What the cluster's members have opened their regions as, so that all do so alike. Kept as long as any member is up: a
 * cluster that was stopped as a whole may start with other definitions. Thread-safe.
 */
final class Definitions {

    static final String REGION = "millrace-definitions";

    private final Region<String, String> known;

    Definitions(Region<String, String> known) {
        this.known = known;
    }

    /**
     * Says what a region is on this member, before it is opened.
     *
     * @throws StoreException where other members have opened it as something else
     */
    void register(String region, StoredDefinition definition) {
        String other = known.putIfAbsent(region, DefinitionText.write(definition));
        if (other != null) {
            requireEqual(region, definition, other);
        }
    }

    /**
     * Makes sure that a region is the same on the cluster's members as here.
     *
     * @throws StoreException where it is not, or is not open there, or nobody answers
     */
    void require(String region, StoredDefinition definition) {
        requireEqual(region, definition, requireThere(region));
    }

    /**
     * Makes sure that a region is open on the cluster's members, and tells as what.
     *
     * @throws StoreException where it is not, or nobody answers
     */
    String requireThere(String region) {
        String other;
        try {
            other = known.get(region);
        } catch (RuntimeException e) {
            throw new StoreException("no server of the cluster answers: " + Causes.first(e), e);
        }
        if (other == null) {
            throw new StoreException("region=" + region + " is not open on the cluster's servers: start them with the"
                    + " configuration that has it");
        }
        return other;
    }

    private static void requireEqual(String region, StoredDefinition definition, String other) {
        StoredDefinition there = DefinitionText.read(other);
        DefinitionChange change = DefinitionChange.between(there, definition);
        if (!change.isNone()) {
            throw new StoreException("Region '" + region + "' is configured here in another way than on the cluster's"
                    + " members, where its data is stored:\n  " + String.join("\n  ", change.all()) + "\n  stored:     "
                    + there + "\n  configured: " + definition);
        }
    }

    /** Definitions of what is in the memory of the cluster's members, as text by name. */
    Map<String, String> texts() {
        return known;
    }
}
