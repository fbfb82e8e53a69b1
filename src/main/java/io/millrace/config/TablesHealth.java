package io.millrace.config;

import io.millrace.table.TableStatus;
import io.millrace.table.Tables;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Shows which tables could not be reloaded, and why. Always up, because the tables still serve their old rows. */
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
