package io.millrace.store.geode;

import io.millrace.background.BackgroundTask;
import io.millrace.background.BackgroundTasks;
import io.millrace.store.StoreException;
import java.nio.file.Path;
import java.util.List;

/** A locator that comes back whenever it was thrown out of the cluster. Thread-safe. */
public final class LocatorService implements AutoCloseable, BackgroundTasks {

    private final Membership<LocatorMember> membership;

    /**
     * Begins to start it, and does not wait for that.
     *
     * @param folder where it remembers the cluster's members
     */
    public LocatorService(Path folder, ClusterOptions options) {
        membership = new Membership<>("this locator", () -> new LocatorMember(folder, options));
        membership.start();
    }

    /**
     * Makes sure that it is in the cluster.
     *
     * @throws StoreException saying why it is not
     */
    public void requireThere() {
        if (membership.member() == null) {
            throw new StoreException("this locator " + membership.state());
        }
    }

    @Override
    public List<BackgroundTask> backgroundTasks() {
        return List.of(membership.task());
    }

    @Override
    public void close() {
        membership.close();
    }
}
