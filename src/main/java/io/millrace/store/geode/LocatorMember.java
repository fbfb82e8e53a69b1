package io.millrace.store.geode;

import io.millrace.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.geode.distributed.Locator;
import org.apache.geode.distributed.internal.InternalLocator;
import org.apache.geode.distributed.internal.tcpserver.HostAddress;

/** A locator: where members and clients find the cluster. Geode allows one in a process at a time. */
final class LocatorMember implements Member {

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
            throw new StoreException("port=" + options.port() + " the locator can't be started: " + e.getMessage(), e);
        }
    }

    @Override
    public boolean isOpen() {
        return locator.getDistributedSystem().isConnected();
    }

    @Override
    public void close() {
        locator.stop();
    }
}
