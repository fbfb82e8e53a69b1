package io.millrace.store.geode;

import io.millrace.store.StoreException;
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
    void register(String region, Object definition) {
        String other = known.putIfAbsent(region, definition.toString());
        if (other != null) {
            requireEqual(region, definition, other);
        }
    }

    /**
     * Makes sure that a region is the same on the cluster's members as here.
     *
     * @throws StoreException where it is not, or is not open there, or nobody answers
     */
    void require(String region, Object definition) {
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

    private static void requireEqual(String region, Object definition, String other) {
        if (!other.equals(definition.toString())) {
            throw new StoreException("region=" + region + " is configured here as " + definition
                    + ", but on the cluster's members as " + other);
        }
    }
}
