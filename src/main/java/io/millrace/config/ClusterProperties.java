package io.millrace.config;

import io.millrace.store.geode.access.UserRole;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The cluster that this process is part of.
 *
 * @param locators where it is found, each {@code host:port}; none for Geode in this process, alone
 * @param name of a server or locator in the cluster; by default one is made up
 * @param bindAddress that a server or locator listens on; by default all
 * @param publicAddress under which other processes reach it
 * @param port that a server serves clients on, or a locator everyone; 0 for 40404 or 10334
 * @param memberTimeout for how long a member may say nothing until the others look whether it is there still
 * @param redundancyZone members of one zone keep no two copies of a value
 * @param criticalHeapPercentage percent of the heap in use from which on no more is taken; 0 for never. In a cluster or
 *     alone
 * @param offHeapMemory for the values of regions that are off the heap. In a cluster or alone
 * @param sslBundle that secures all connections of the cluster; by default they are plain
 * @param credentials what it says to be let in
 * @param users whom a server or locator lets in, by name; by default everyone
 * @param jmxPort of a locator, for tools such as gfsh; 0 for none
 * @param putsInFlight how many blocks each writer of a client may have on their way to a region at a time
 * @param takeoverAfter how long an ingest node may show no sign of life until another one takes over its pipelines
 */
public record ClusterProperties(
        @DefaultValue List<String> locators,
        @Nullable String name,
        @Nullable String bindAddress,
        @Nullable String publicAddress,
        @DefaultValue("0") int port,
        @DefaultValue("5s") Duration memberTimeout,
        @Nullable String redundancyZone,
        @DefaultValue("0") float criticalHeapPercentage,
        @Nullable DataSize offHeapMemory,
        @Nullable String sslBundle,
        @Nullable CredentialsProperties credentials,
        @DefaultValue Map<String, UserProperties> users,
        @DefaultValue("0") int jmxPort,
        @DefaultValue("4") int putsInFlight,
        @DefaultValue("5s") Duration takeoverAfter) {

    /** A name and its password. */
    public record CredentialsProperties(
            @Nullable String name, @Nullable String password) {

        /** Without the password. */
        @Override
        public String toString() {
            return "CredentialsProperties[name=" + name + "]";
        }
    }

    /**
     * A user of the cluster.
     *
     * @param role member (a server or locator), ingest (writes and reads records) or reader (queries records)
     */
    public record UserProperties(
            @Nullable String password, @Nullable UserRole role) {

        /** Without the password. */
        @Override
        public String toString() {
            return "UserProperties[role=" + role + "]";
        }
    }
}
