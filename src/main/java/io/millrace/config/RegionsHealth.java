package io.millrace.config;

import io.millrace.store.Store;
import io.millrace.store.UnconfiguredRegions;
import io.millrace.store.catalog.CatalogComparison;
import io.millrace.store.error.StoreException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Shows regions that are stored but not configured, with what to do. Always up, because they stop nothing. */
final class RegionsHealth extends AbstractHealthIndicator {

    private final @Nullable Store store;

    /** @param store the store; null for a client of a cluster, whose servers show these regions */
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
            // The indicator of readiness shows that the store is unavailable.
        }
    }
}
