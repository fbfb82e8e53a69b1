package io.millrace.store.geode.region;

import io.millrace.store.catalog.CatalogEntry;
import io.millrace.store.catalog.DefinitionChange;
import io.millrace.store.catalog.DefinitionText;
import io.millrace.store.catalog.Refusal;
import io.millrace.store.catalog.StoredDefinition;
import io.millrace.store.error.DefinitionChangedException;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.Causes;
import io.millrace.store.geode.cache.GeodeCache;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.ToLongBiFunction;
import org.apache.geode.cache.Region;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The definitions that regions and measures were stored under, by name, in a persistent region that is replicated on
 * every member: so a definition is stored wherever data of it is. Created with the first persistent region.
 * Thread-safe.
 *
 * <p>Definitions of measures whose states are in the memory of a cluster are in memory as well, so that both end
 * together.
 */
public final class RegionCatalog {

    /** Name of the region of definitions, which maps a name to a {@linkplain DefinitionText text}. */
    static final String REGION = "millrace-catalog";

    private static final Logger LOG = LoggerFactory.getLogger(RegionCatalog.class);

    private final GeodeCache cache;
    private final @Nullable ConcurrentMap<String, String> inMemory;
    private @Nullable Region<String, String> onDisk;

    /** @param inMemory shared by the members of a cluster; null if this process runs alone */
    public RegionCatalog(GeodeCache cache, @Nullable ConcurrentMap<String, String> inMemory) {
        this.cache = cache;
        this.inMemory = inMemory;
    }

    /** Opens the definitions on disk; only necessary if no region is opened with this catalog. */
    public void open() {
        onDisk();
    }

    private synchronized Region<String, String> onDisk() {
        Region<String, String> region = onDisk;
        if (region == null) {
            region = cache.shared(REGION, true, false, null);
            onDisk = region;
        }
        return region;
    }

    private synchronized boolean isOpen() {
        return onDisk != null;
    }

    private ConcurrentMap<String, String> definitions(boolean persistent) {
        ConcurrentMap<String, String> shared = inMemory;
        return persistent || shared == null ? onDisk() : shared;
    }

    /**
     * Throws an exception for a persistent region that can't even be opened, before it is opened.
     *
     * @throws DefinitionChangedException if it has another number of buckets
     */
    public void requireOpenable(String name, StoredDefinition configured) {
        StoredDefinition stored = get(name, true);
        String buckets = "buckets";
        if (stored != null && !String.valueOf(stored.property(buckets)).equals(configured.property(buckets))) {
            throw new DefinitionChangedException(Refusal.describe(name, stored, configured));
        }
    }

    /**
     * Stores the configured definition of a name, unless data is stored that can't be used with it, and returns it with
     * the earlier versions of its schema.
     *
     * @param empty whether nothing is stored under this name
     * @param persistent whether the data is on disk
     * @throws DefinitionChangedException if the stored data can't be used
     * @throws StoreException if the store does not answer
     */
    public StoredDefinition admit(String name, StoredDefinition configured, boolean empty, boolean persistent) {
        return admit(name, configured, empty, persistent, true);
    }

    /**
     * As {@link #admit(String, StoredDefinition, boolean, boolean)}, but does not replace a stored definition: as long
     * as nothing is written with the configured one, the stored one can still be used.
     */
    public StoredDefinition accept(String name, StoredDefinition configured, boolean empty, boolean persistent) {
        return admit(name, configured, empty, persistent, false);
    }

    private StoredDefinition admit(
            String name, StoredDefinition configured, boolean empty, boolean persistent, boolean replaces) {
        while (true) { // another member may admit a version at the same time
            String text = text(name, persistent);
            if (text == null) {
                if (!empty) {
                    LOG.warn(
                            "Stored data has no definition in the catalog, the configured one is taken: name={}", name);
                }
                if (put(name, null, configured, persistent)) {
                    return configured;
                }
                continue;
            }
            StoredDefinition stored = read(name, text);
            DefinitionChange change = DefinitionChange.between(stored, configured);
            if (change.isRefused() && !empty) {
                throw new DefinitionChangedException(Refusal.describe(name, stored, configured));
            }
            StoredDefinition next = change.isRefused() ? configured : configured.after(stored);
            if (change.isNone() || !replaces) {
                return next;
            }
            if (put(name, text, next, persistent)) {
                LOG.info("Definition changed: name={} changes={}", name, change.all());
                return next;
            }
        }
    }

    private @Nullable StoredDefinition get(String name, boolean persistent) {
        String text = text(name, persistent);
        return text == null ? null : read(name, text);
    }

    private @Nullable String text(String name, boolean persistent) {
        try {
            return definitions(persistent).get(name);
        } catch (StoreException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new StoreException("The definition of '" + name + "' can't be read: " + Causes.first(e), e);
        }
    }

    /** Stores a definition unless another one than {@code before} is stored, and returns whether it did. */
    private boolean put(String name, @Nullable String before, StoredDefinition definition, boolean persistent) {
        String text = DefinitionText.write(definition);
        try {
            ConcurrentMap<String, String> definitions = definitions(persistent);
            return before == null
                    ? definitions.putIfAbsent(name, text) == null
                    : definitions.replace(name, before, text);
        } catch (RuntimeException e) {
            throw new StoreException("The definition of '" + name + "' can't be stored: " + Causes.first(e), e);
        }
    }

    private static StoredDefinition read(String name, String text) {
        try {
            return DefinitionText.read(text);
        } catch (IllegalArgumentException e) {
            throw new StoreException("The definition of '" + name + "' can't be read: " + e.getMessage(), e);
        }
    }

    /**
     * Returns all definitions of data on disk, by name; none if no region of this process is persistent.
     *
     * @throws StoreException if the store does not answer
     */
    public Map<String, StoredDefinition> all() {
        Map<String, StoredDefinition> all = new TreeMap<>();
        if (!cache.remote() && !isOpen()) {
            return all;
        }
        try {
            Region<String, String> region = onDisk();
            for (String name : cache.keys(region)) {
                String text = region.get(name);
                if (text != null) {
                    all.put(name, read(name, text));
                }
            }
            return all;
        } catch (RuntimeException e) {
            if (cache.remote() && Causes.isMissingRegion(e)) {
                return Map.of(); // no region is persistent
            }
            throw e instanceof StoreException known
                    ? known
                    : new StoreException("The catalog can't be read: " + Causes.first(e), e);
        }
    }

    /**
     * Returns all definitions of data on disk with the number of values of each, for tools that have no region open.
     *
     * @throws StoreException if the store does not answer
     */
    public List<CatalogEntry> entries(ToLongBiFunction<String, StoredDefinition> values) {
        List<CatalogEntry> entries = new ArrayList<>();
        all().forEach((name, definition) ->
                entries.add(new CatalogEntry(name, definition, false, values.applyAsLong(name, definition))));
        return entries;
    }

    /** Removes a definition whose data was removed. */
    public void remove(String name) {
        onDisk().remove(name);
    }
}
