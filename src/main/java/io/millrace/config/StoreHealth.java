package io.millrace.config;

import io.millrace.store.StoreException;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Says whether the store, or what a cluster needs of this process, is there; part of readiness, not of liveness. */
final class StoreHealth extends AbstractHealthIndicator {

    private final Runnable requirement;

    /** @param requirement throws a {@link StoreException} that says what is missing */
    StoreHealth(Runnable requirement) {
        this.requirement = requirement;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        try {
            requirement.run();
            builder.up();
        } catch (StoreException e) {
            // Without the trace that Boot would show of the exception.
            builder.down().withDetail("reason", String.valueOf(e.getMessage()));
        }
    }
}
