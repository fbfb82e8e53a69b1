package io.millrace.config;

import io.millrace.background.BackgroundTask;
import io.millrace.background.BackgroundTasks;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Shows the last run and the last failure of each background task. Down while the last run of any has failed. */
final class BackgroundTasksHealth extends AbstractHealthIndicator {

    private final ObjectProvider<BackgroundTasks> owners;

    BackgroundTasksHealth(ObjectProvider<BackgroundTasks> owners) {
        this.owners = owners;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        builder.up();
        owners.orderedStream()
                .flatMap(owner -> owner.backgroundTasks().stream())
                .map(BackgroundTask::status)
                .forEach(status -> {
                    if (status.failing()) {
                        builder.down();
                    }
                    builder.withDetail(status.name(), details(status));
                });
    }

    private static Map<String, Object> details(BackgroundTask.Status status) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("state", status.failing() ? "failing" : "ok");
        if (status.lastRun() != null) {
            details.put("lastRun", status.lastRun().toString());
        }
        if (status.lastFailure() != null && status.lastFailureTime() != null) {
            details.put("failures", status.failures());
            details.put("lastFailure", status.lastFailure());
            details.put("lastFailureTime", status.lastFailureTime().toString());
        }
        return details;
    }
}
