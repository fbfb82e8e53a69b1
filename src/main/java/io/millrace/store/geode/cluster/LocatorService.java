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
     * Requires that the locator is in the cluster, and that its port answers.
     *
     * @throws StoreException with the reason if it is not
     */
    public void requireAvailable() {
        LocatorMember locator = membership.member();
        if (locator == null) {
            throw new StoreException("This locator " + membership.state());
        }
        locator.probe().requireAnswer();
    }

    @Override
    public List<BackgroundTask> backgroundTasks() {
        LocatorMember locator = membership.member();
        return locator == null
                ? List.of(membership.task())
                : List.of(membership.task(), locator.probe().task());
    }

    @Override
    public void close() {
        membership.close();
    }
}
