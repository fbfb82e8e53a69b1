package io.millrace.config;

import io.millrace.background.BackgroundTask;
import io.millrace.background.BackgroundTasks;
import io.millrace.config.properties.TableProperties;
import io.millrace.table.ServedTable;
import io.millrace.table.Table;
import io.millrace.table.TableException;
import io.millrace.table.Tables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks the files of tables periodically and reloads those that have changed, in its own thread. */
final class TableRefresh implements AutoCloseable, BackgroundTasks {

    private static final Logger log = LoggerFactory.getLogger(TableRefresh.class);

    private final List<ScheduledFuture<?>> looks = new ArrayList<>();
    private final List<BackgroundTask> tasks = new ArrayList<>();
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("table-refresh").daemon().factory());

    TableRefresh(Tables tables, Map<String, TableProperties> properties) {
        for (Table table : tables.all()) {
            TableProperties configured = properties.get(table.name());
            Duration every = configured == null ? null : configured.refresh();
            if (table instanceof ServedTable served && every != null) {
                long nanos = every.toNanos();
                BackgroundTask task = new BackgroundTask("table-refresh-" + table.name());
                tasks.add(task);
                looks.add(scheduler.scheduleWithFixedDelay(
                        () -> task.run(() -> refresh(served)), nanos, nanos, TimeUnit.NANOSECONDS));
            }
        }
    }

    private static void refresh(ServedTable table) {
        try {
            if (table.reloadIfChanged()) {
                log.info(
                        "table={} loaded again: {} rows",
                        table.name(),
                        table.status().rows());
            }
        } catch (TableException e) {
            log.warn("table not loaded again, the old rows are served: {}", e.getMessage());
        }
    }

    @Override
    public List<BackgroundTask> backgroundTasks() {
        return tasks;
    }

    @Override
    public void close() {
        looks.forEach(look -> look.cancel(true));
        scheduler.shutdownNow();
    }
}
