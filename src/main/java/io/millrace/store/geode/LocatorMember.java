package io.millrace.store.geode;

import io.millrace.store.StoreException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.geode.distributed.Locator;

/** A locator: where members and clients find the cluster. Geode allows one in a process at a time. */
final class LocatorMember implements Member {

    private final Locator locator;

    /**
     * Starts it.
     *
     * @param folder where it remembers the cluster's members, created if need be
     * @throws StoreException where it can't be started
     */
    @SuppressWarnings("deprecation") // nothing else that starts one takes the public address
    LocatorMember(Path folder, ClusterOptions options) {
        try {
            Files.createDirectories(folder);
            System.setProperty(
                    "gemfire.locator.state.file",
                    folder.resolve("locator-" + options.port() + ".dat").toString());
            locator = Locator.startLocatorAndDS(
                    options.port(),
                    null,
                    options.bindAddress() == null ? null : InetAddress.getByName(options.bindAddress()),
                    GeodeProperties.locator(options),
                    true,
                    true,
                    options.publicAddress());
        } catch (IOException | RuntimeException e) {
            throw new StoreException("port=" + options.port() + " the locator can't be started: " + Causes.first(e), e);
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
