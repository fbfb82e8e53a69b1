package io.millrace.config;

import io.millrace.store.error.StoreException;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Shows whether the store, or this process's part of the cluster, is available. Part of readiness, not of liveness. */
final class StoreHealth extends AbstractHealthIndicator {

    private final Runnable requirement;

    /** @param requirement check that throws a {@link StoreException} with the reason if the store is unavailable */
    StoreHealth(Runnable requirement) {
        this.requirement = requirement;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        try {
            requirement.run();
            builder.up();
        } catch (StoreException e) {
            // Not down(e), which would add the class name of the exception.
            builder.down().withDetail("reason", String.valueOf(e.getMessage()));
        }
    }
}
