package io.millrace.store.geode.region;

import io.millrace.schema.evolution.SchemaDescription;
import io.millrace.schema.evolution.SchemaEvolution;
import io.millrace.store.catalog.DefinitionChange;
import io.millrace.store.catalog.DefinitionText;
import io.millrace.store.catalog.StoredDefinition;
import io.millrace.store.error.DefinitionChangedException;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.Causes;
import io.millrace.store.geode.cache.GeodeCache;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.StoredDefinitions;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentMap;
import org.apache.geode.cache.Region;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The region definitions that the cluster's members use, so that all members open a region with the same definition,
 * and read it with the newest version of its schema that one of them is configured with. They exist as long as any
 * member is running: after a stop of the whole cluster, it may start with other definitions. Thread-safe.
 */
public final class Definitions {

    /** Name of the region of definitions, which maps the name of a region to a {@linkplain DefinitionText text}. */
    public static final String REGION = "millrace-definitions";

    /**
     * Name of the region of whole definitions, whose schemas have more than their descriptions in the texts; by the
     * name of a region and the fingerprint of the schema, separated by a slash.
     */
    public static final String VERSIONS = "millrace-versions";

    private static final Logger LOG = LoggerFactory.getLogger(Definitions.class);

    private final Region<String, String> texts;
    private final Region<String, RegionDefinition> versions;
    private final int buckets;

    /** How a configured definition relates to the one that members use. */
    private enum Relation {
        SAME,
        /** It has an earlier version of the schema. */
        EARLIER,
        /** It has a version of the schema that may be the next one. */
        LATER
    }

    /** @param buckets number of buckets of a region */
    public Definitions(GeodeCache cache, int buckets) {
        texts = cache.shared(REGION, false, false, null);
        versions = cache.shared(VERSIONS, false, false, null);
        this.buckets = buckets;
    }

    /**
     * Returns the definition with which this member opens a region: the configured one, or that of the other members if
     * they already use a later version of its schema. If no other member has the region open, they are to use this one.
     *
     * @throws StoreException if other members have opened it with a definition that is not another version
     */
    public RegionDefinition join(RegionDefinition configured) {
        StoredDefinition own = text(configured);
        versions.putIfAbsent(key(configured.name(), own), configured.shared());
        String text = texts.putIfAbsent(configured.name(), DefinitionText.write(own));
        if (text == null) {
            return configured;
        }
        StoredDefinition used = DefinitionText.read(text);
        Relation relation = relation(configured.name(), used, own);
        if (relation != Relation.EARLIER) {
            versions.put(key(configured.name(), own), configured.shared()); // its computed fields may have changed
        }
        return switch (relation) {
            case SAME -> configured.withHistory(used.history());
            case LATER -> configured.withHistory(own.after(used).history());
            case EARLIER -> {
                LOG.warn(
                        "The cluster uses a later version of a schema than the configured one, so this server uses it"
                                + " too: region={} version={}",
                        configured.name(),
                        used.history().size() + 1);
                yield inUse(configured, used);
            }
        };
    }

    /**
     * Has all members use the definition with which this member has opened a region, unless they already use a later
     * version of its schema. Before, the definition must be stored wherever its records will be.
     *
     * @param opened with all earlier versions of the schema
     * @throws StoreException if they have another definition meanwhile
     */
    public void publish(RegionDefinition opened) {
        String name = opened.name();
        StoredDefinition own = text(opened).withHistory(opened.history());
        while (true) {
            String text = requireAvailable(name);
            StoredDefinition used = DefinitionText.read(text);
            Relation relation = relation(name, used, own);
            int known = used.history().size() + (relation == Relation.LATER ? 1 : 0);
            if (relation == Relation.EARLIER
                    || (relation == Relation.SAME && known >= opened.history().size())) {
                return;
            }
            StoredDefinition next = known > opened.history().size() ? own.after(used) : own;
            if (texts.replace(name, text, DefinitionText.write(next))) {
                return;
            }
        }
    }

    /**
     * Returns the definition with which a region is read.
     *
     * @param text of the definition that members use
     * @throws StoreException if that is not a version of the configured one, or no server answers
     */
    RegionDefinition inUse(RegionDefinition configured, String text) {
        StoredDefinition used = DefinitionText.read(text);
        return relation(configured.name(), used, text(configured)) == Relation.SAME
                ? configured.withHistory(used.history())
                : inUse(configured, used);
    }

    private RegionDefinition inUse(RegionDefinition configured, StoredDefinition used) {
        RegionDefinition version;
        try {
            version = versions.get(key(configured.name(), used));
        } catch (RuntimeException e) {
            throw unanswered(e);
        }
        if (version == null) {
            throw new StoreException(
                    "The definition of region '" + configured.name()
                            + "' that the servers use is not there. Restart this process with the configuration of the servers.");
        }
        return configured.withVersion(
                version.schema(), version.keyFields(), version.remove(), version.latest(), used.history());
    }

    /**
     * Returns the definition with which records are written: the configured one, with the earlier versions of its
     * schema.
     *
     * @throws DefinitionChangedException if the members use a later version of the schema
     * @throws StoreException if the members use another definition or an earlier version of the schema, the region is
     *     not open there, or no server answers
     */
    RegionDefinition toWrite(RegionDefinition configured) {
        String name = configured.name();
        StoredDefinition used = DefinitionText.read(requireAvailable(name));
        StoredDefinition own = text(configured);
        return switch (relation(name, used, own)) {
            case SAME -> configured.withHistory(used.history());
            case EARLIER ->
                throw new DefinitionChangedException(
                        "Region '" + name + "' has version " + (used.history().size() + 1)
                                + " of its schema in the cluster, and an earlier version is configured here. This process reads"
                                + " the region and does not write to it. Restart this process with the configuration of the"
                                + " servers.");
            case LATER ->
                throw new StoreException("Region '" + name + "' is configured here with a later version of its schema"
                        + " than on the servers of the cluster:\n  "
                        + String.join(
                                "\n  ", DefinitionChange.between(used, own).all())
                        + "\nRestart the servers with this configuration first, one after the other.");
        };
    }

    /**
     * Returns the text of the definition that the cluster's members use for a region.
     *
     * @throws StoreException if it is not open there, or no server answers
     */
    public String requireAvailable(String region) {
        String text;
        try {
            text = texts.get(region);
        } catch (RuntimeException e) {
            throw unanswered(e);
        }
        if (text == null) {
            throw new StoreException(
                    "Region '" + region + "' is not open on the servers of the cluster. Start them with the"
                            + " configuration that defines it.");
        }
        return text;
    }

    private static StoreException unanswered(RuntimeException cause) {
        return new StoreException("No server of the cluster answers: " + Causes.first(cause), cause);
    }

    private static Relation relation(String region, StoredDefinition used, StoredDefinition configured) {
        DefinitionChange change = DefinitionChange.between(used, configured);
        if (change.isNone()) {
            return Relation.SAME;
        }
        if (haveVersions(used, configured)) {
            // Without a history, if each could follow the other, a field may not disappear by mistake.
            boolean couldPrecede = !DefinitionChange.between(configured, used).isRefused();
            if (used.isAfter(configured) || (couldPrecede && (change.isRefused() || lacksFields(configured, used)))) {
                return Relation.EARLIER;
            }
            if (!change.isRefused()) {
                return Relation.LATER;
            }
        }
        throw new StoreException("Region '" + region + "' is configured here in another way than on the cluster's"
                + " members, where its data is stored:\n  " + String.join("\n  ", change.all()) + "\n  stored:     "
                + used + "\n  configured: " + configured);
    }

    /** Returns whether a definition lacks fields that another one has. */
    private static boolean lacksFields(StoredDefinition definition, StoredDefinition other) {
        SchemaDescription all = Objects.requireNonNull(other.schema());
        Collection<String> kept = SchemaEvolution.sources(all, Objects.requireNonNull(definition.schema()))
                .values();
        return !all.fields().stream().allMatch(field -> kept.contains(field.name()));
    }

    /** Returns whether definitions differ at most in what a version of the schema changes. */
    private static boolean haveVersions(StoredDefinition one, StoredDefinition other) {
        SchemaDescription schema = one.schema();
        return schema != null
                && !schema.sameBytes(Objects.requireNonNull(other.schema()))
                && withoutFields(one).equals(withoutFields(other));
    }

    /** Returns the properties without the names of fields, which a version of the schema may rename. */
    private static Map<String, String> withoutFields(StoredDefinition definition) {
        Map<String, String> properties = new HashMap<>(definition.properties());
        properties.keySet().removeAll(List.of("key", "remove"));
        // Each server checks the entries that it stores, so all of them have such a field, or none.
        properties.computeIfPresent("latest", (_, _) -> "a field");
        return properties;
    }

    private StoredDefinition text(RegionDefinition definition) {
        return StoredDefinitions.of(definition.shared(), buckets);
    }

    private static String key(String region, StoredDefinition definition) {
        return region + "/" + Objects.requireNonNull(definition.schema()).fingerprint();
    }

    /** Returns the definitions in the memory of the cluster's members, as text by name. */
    public ConcurrentMap<String, String> texts() {
        return texts;
    }
}
