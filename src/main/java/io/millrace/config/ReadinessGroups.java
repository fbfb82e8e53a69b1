package io.millrace.config;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.health.actuate.endpoint.AdditionalHealthEndpointPath;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroup;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.actuate.endpoint.HttpCodeStatusMapper;
import org.springframework.boot.health.actuate.endpoint.StatusAggregator;

/** Adds the health of pipelines to the readiness group, next to what the application's configuration includes. */
final class ReadinessGroups {

    private static final String READINESS = "readiness";
    private static final String PIPELINES = "pipelines";

    private ReadinessGroups() {}

    /** Returns the same groups; the one of readiness, if there is one, has the pipelines as a member. */
    static HealthEndpointGroups withPipelines(HealthEndpointGroups groups) {
        Map<String, HealthEndpointGroup> byName = new LinkedHashMap<>();
        for (String name : groups.getNames()) {
            HealthEndpointGroup group = groups.get(name);
            if (group != null) {
                byName.put(name, name.equals(READINESS) ? new WithPipelines(group) : group);
            }
        }
        return HealthEndpointGroups.of(groups.getPrimary(), byName);
    }

    private record WithPipelines(HealthEndpointGroup group) implements HealthEndpointGroup {

        @Override
        public boolean isMember(String name) {
            return name.equals(PIPELINES) || group.isMember(name);
        }

        @Override
        public boolean showComponents(SecurityContext security) {
            return group.showComponents(security);
        }

        @Override
        public boolean showDetails(SecurityContext security) {
            return group.showDetails(security);
        }

        @Override
        public StatusAggregator getStatusAggregator() {
            return group.getStatusAggregator();
        }

        @Override
        public HttpCodeStatusMapper getHttpCodeStatusMapper() {
            return group.getHttpCodeStatusMapper();
        }

        @Override
        public @Nullable AdditionalHealthEndpointPath getAdditionalPath() {
            return group.getAdditionalPath();
        }
    }
}
