package io.millrace.config;

import io.millrace.table.TableStatus;
import io.millrace.table.Tables;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Tells which tables could not be loaded again, and why. What they held before is served on, so they are up. */
final class TablesHealth extends AbstractHealthIndicator {

    private final Tables tables;

    TablesHealth(Tables tables) {
        this.tables = tables;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        builder.up();
        tables.all().forEach(table -> {
            TableStatus status = table.status();
            if (status.error() != null) {
                builder.withDetail(status.name(), status.error());
            }
        });
    }
}
