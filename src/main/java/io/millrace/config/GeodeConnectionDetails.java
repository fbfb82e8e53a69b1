package io.millrace.config;

import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * The connection to a cluster. Beans of this type, such as that of a container, take precedence over the configuration.
 * The locators of several beans are combined.
 */
@API(status = API.Status.STABLE)
public interface GeodeConnectionDetails extends ConnectionDetails {

    /** Returns the locators of the cluster, each {@code host:port}. */
    List<String> locators();

    /**
     * Returns the addresses at which this process reaches members, by the addresses that the members advertise, both
     * {@code host:port}. An example are the mapped ports of a container. Other advertised addresses are used unchanged.
     */
    default Map<String, String> reachedAt() {
        return Map.of();
    }
}
