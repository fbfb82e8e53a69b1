package io.millrace.store;

import io.millrace.store.catalog.CatalogComparison;
import io.millrace.store.catalog.CatalogEntry;
import io.millrace.store.catalog.StoreCatalog;
import io.millrace.store.catalog.StoredDefinition.Kind;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds regions whose data is stored and that are not configured, for example because they were renamed. */
public final class UnconfiguredRegions {

    private static final Logger LOG = LoggerFactory.getLogger(UnconfiguredRegions.class);

    private UnconfiguredRegions() {}

    /**
     * Returns the regions of records and rejects that are stored and not open.
     *
     * @throws io.millrace.store.error.StoreException if the store does not answer
     */
    public static List<CatalogEntry> of(StoreCatalog catalog) {
        return catalog.catalog().stream()
                .filter(entry -> !entry.open() && entry.definition().kind() != Kind.MEASURE)
                .toList();
    }

    /** Logs a warning for each of them; all configured regions must be open. */
    public static void log(StoreCatalog catalog) {
        of(catalog)
                .forEach(entry -> LOG.warn(
                        "Stored region is not configured as a persistent one: region={} definition={}",
                        entry.name(),
                        CatalogComparison.adoption(entry)));
    }
}
