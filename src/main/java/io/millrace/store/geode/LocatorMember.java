package io.millrace.store.geode;

import io.millrace.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.geode.distributed.Locator;
import org.apache.geode.distributed.internal.InternalLocator;
import org.apache.geode.distributed.internal.tcpserver.HostAddress;
import org.jspecify.annotations.Nullable;

/** A locator: where members and clients find the cluster. Geode allows one in a process at a time. */
final class LocatorMember implements Member {

    /**
     * What a locator counts besides Geode's 3 where the cluster falls apart and the larger part goes on. A server
     * counts 10, the oldest one 15: of two servers and a locator, the oldest server alone would outweigh the two
     * others. So it would go on without a locator, where nobody finds it, and everything would end whenever it fails.
     */
    private static final String MORE_WEIGHT = "3";

    private final Locator locator;

    /**
     * Starts it.
     *
     * @param folder where it remembers the cluster's members, created if need be
     * @throws StoreException where it can't be started
     */
    LocatorMember(Path folder, ClusterOptions options) {
        try {
            Files.createDirectories(folder);
            System.setProperty("gemfire.member-weight", MORE_WEIGHT);
            HostAddress bind = options.bindAddress() == null ? null : new HostAddress(options.bindAddress());
            // Internal, because all that is public writes to the folder that the process was started in.
            locator = InternalLocator.startLocator(
                    options.port(),
                    null,
                    null,
                    null,
                    bind,
                    true,
                    GeodeProperties.locator(options),
                    options.publicAddress(),
                    folder.toAbsolutePath());
        } catch (IOException | RuntimeException e) {
            throw new StoreException("port=" + options.port() + " the locator can't be started: " + Causes.first(e), e);
        }
    }

    @Override
    public boolean isOpen() {
        return locator.getDistributedSystem().isConnected();
    }

    /** Keeps no data that could fail. */
    @Override
    public @Nullable String failure() {
        return null;
    }

    @Override
    public void close() {
        locator.stop();
    }
}
