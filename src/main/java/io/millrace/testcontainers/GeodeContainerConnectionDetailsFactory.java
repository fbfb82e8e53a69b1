package io.millrace.testcontainers;

import io.millrace.config.GeodeConnectionDetails;
import java.util.List;
import java.util.Map;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;

/** Connects an application to a {@link GeodeClusterContainer} that is annotated with {@code @ServiceConnection}. */
final class GeodeContainerConnectionDetailsFactory
        extends ContainerConnectionDetailsFactory<GeodeClusterContainer, GeodeConnectionDetails> {

    @Override
    protected GeodeConnectionDetails getContainerConnectionDetails(
            ContainerConnectionSource<GeodeClusterContainer> source) {
        return new GeodeContainerConnectionDetails(source);
    }

    private static final class GeodeContainerConnectionDetails extends ContainerConnectionDetails<GeodeClusterContainer>
            implements GeodeConnectionDetails {

        GeodeContainerConnectionDetails(ContainerConnectionSource<GeodeClusterContainer> source) {
            super(source);
        }

        @Override
        public List<String> locators() {
            return getContainer().locators();
        }

        @Override
        public Map<String, String> reachedAt() {
            return getContainer().reachedAt();
        }
    }
}
