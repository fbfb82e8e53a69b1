package io.millrace.store.geode.cluster;

import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.Causes;
import io.millrace.store.geode.cache.ClusterOptions;
import io.millrace.store.geode.cache.GeodeProperties;
import io.millrace.store.geode.cache.MembershipClock;
import io.millrace.store.geode.cache.PortProbe;
import io.millrace.store.geode.cache.PrivateFolder;
import io.millrace.store.geode.guard.GuardedSockets;
import io.millrace.store.geode.guard.MemberLease;
import io.millrace.store.geode.guard.MembershipStack;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import org.apache.geode.distributed.Locator;
import org.apache.geode.distributed.internal.InternalLocator;
import org.apache.geode.distributed.internal.tcpserver.HostAddress;
import org.jspecify.annotations.Nullable;

/** A locator, through which members and clients find the cluster. Geode allows one in a process at a time. */
public final class LocatorMember implements Member {

    /**
     * Weight of a locator in addition to Geode's 3, in the decision which part of a split cluster survives. A server
     * has weight 10, the oldest one 15: of two servers and a locator, the oldest server alone would outweigh the two
     * others. It would then continue without a locator, where no process finds it, and its failure would always stop
     * the cluster.
     */
    private static final String ADDITIONAL_WEIGHT = "3";

    private final Locator locator;
    private final PortProbe probe;

    /**
     * Starts the locator.
     *
     * @param folder in which it stores the cluster's members, created if necessary
     * @throws StoreException if it can't be started
     */
    public LocatorMember(Path folder, ClusterOptions options) {
        try {
            PrivateFolder.create(folder);
            System.setProperty("gemfire.member-weight", ADDITIONAL_WEIGHT);
            HostAddress bind = options.bindAddress() == null ? null : new HostAddress(options.bindAddress());
            Properties properties = GeodeProperties.locator(options);
            GuardedSockets.useForLocator(properties);
            MembershipClock.use();
            MemberLease.begin(Duration.ZERO);
            // Internal, because all public methods write to the working directory of the process.
            locator = MembershipStack.use(
                    options.encryptsDatagrams(),
                    () -> InternalLocator.startLocator(
                            options.port(),
                            null,
                            null,
                            null,
                            bind,
                            true,
                            properties,
                            options.publicAddress(),
                            folder.toAbsolutePath()));
        } catch (IOException | RuntimeException e) {
            throw new StoreException(
                    "The locator can't be started on port " + options.port() + ": " + Causes.first(e), e);
        }
        probe = PortProbe.ofLocator(options, this::isOpen);
    }

    @Override
    public boolean isOpen() {
        return locator.getDistributedSystem().isConnected();
    }

    /** Returns null, because a locator stores no data that could fail. */
    @Override
    public @Nullable String failure() {
        return null;
    }

    /** Returns the probe of the port. */
    PortProbe probe() {
        return probe;
    }

    @Override
    public void close() {
        probe.close();
        locator.stop();
    }
}
