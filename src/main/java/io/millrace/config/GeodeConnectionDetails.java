package io.millrace.config;

import java.util.List;
import java.util.Map;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Where a cluster is found; beans of this type, such as a container's, win over the configuration. Several complement
 * each other.
 */
public interface GeodeConnectionDetails extends ConnectionDetails {

    /** Its locators, each {@code host:port}. */
    List<String> locators();

    /**
     * Where addresses that its members tell of themselves are reached from here, {@code host:port} by
     * {@code host:port}, such as ports that a container's own are mapped to. Those that are not named are as they are
     * told.
     */
    default Map<String, String> reachedAt() {
        return Map.of();
    }
}
