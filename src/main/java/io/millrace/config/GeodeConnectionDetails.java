package io.millrace.config;

import java.util.List;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/** Where a cluster is found; a bean of this type, such as a container's, wins over the configuration. */
public interface GeodeConnectionDetails extends ConnectionDetails {

    /** Its locators, each {@code host:port}. */
    List<String> locators();
}
