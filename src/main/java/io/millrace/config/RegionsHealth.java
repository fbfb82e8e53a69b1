package io.millrace.config;

import io.millrace.store.UnconfiguredRegions;
import io.millrace.store.catalog.CatalogComparison;
import io.millrace.store.catalog.StoreCatalog;
import io.millrace.store.error.StoreException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Shows regions that are stored but not configured, with what to do. Always up, because they stop nothing. */
final class RegionsHealth extends AbstractHealthIndicator {

    private final @Nullable StoreCatalog catalog;

    /** @param catalog of the store; null for a client of a cluster, whose servers show these regions */
    RegionsHealth(@Nullable StoreCatalog catalog) {
        this.catalog = catalog;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        builder.up();
        if (catalog == null) {
            return;
        }
        try {
            UnconfiguredRegions.of(catalog)
                    .forEach(entry -> builder.withDetail(entry.name(), CatalogComparison.adoption(entry)));
        } catch (StoreException _) {
            // The indicator of readiness shows that the store is unavailable.
        }
    }
}
