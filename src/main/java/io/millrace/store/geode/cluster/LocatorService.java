package io.millrace.store.geode.cluster;

import io.millrace.background.BackgroundTask;
import io.millrace.background.BackgroundTasks;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.ClusterOptions;
import java.nio.file.Path;
import java.util.List;

/** A locator that rejoins the cluster after each forced disconnect. Thread-safe. */
public final class LocatorService implements AutoCloseable, BackgroundTasks {

    private final Membership<LocatorMember> membership;

    /**
     * Starts the locator without waiting for the result.
     *
     * @param folder in which it stores the cluster's members
     */
    public LocatorService(Path folder, ClusterOptions options) {
        membership = new Membership<>("locator", () -> new LocatorMember(folder, options));
        membership.start();
    }

    /**
     * Requires that the locator is in the cluster.
     *
     * @throws StoreException with the reason if it is not
     */
    public void requireThere() {
        if (membership.member() == null) {
            throw new StoreException("This locator " + membership.state());
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
