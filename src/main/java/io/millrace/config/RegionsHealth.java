package io.millrace.config;

import io.millrace.store.Store;
import io.millrace.store.StoreException;
import io.millrace.store.UnconfiguredRegions;
import io.millrace.store.catalog.CatalogComparison;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Shows which regions are stored and not configured, with what to do. They stop nothing, so it is always up. */
final class RegionsHealth extends AbstractHealthIndicator {

    private final @Nullable Store store;

    /** @param store null for a client of a cluster, whose servers show it */
    RegionsHealth(@Nullable Store store) {
        this.store = store;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        builder.up();
        if (store == null) {
            return;
        }
        try {
            UnconfiguredRegions.of(store)
                    .forEach(entry -> builder.withDetail(entry.name(), CatalogComparison.adoption(entry)));
        } catch (StoreException _) {
            // That the store is not there is shown by the indicator of readiness.
        }
    }
}
