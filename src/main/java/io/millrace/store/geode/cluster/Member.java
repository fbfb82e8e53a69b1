package io.millrace.store.geode.cluster;

import org.jspecify.annotations.Nullable;

/** A participant in a cluster: a member or a locator. */
public interface Member extends AutoCloseable {

    /** Returns whether it is in the cluster; false after it was closed or removed by a forced disconnect. */
    boolean isOpen();

    /**
     * Returns the failure that made it leave, such as a failed disk; null after a forced disconnect, or if it has not
     * left.
     */
    @Nullable
    String failure();

    /** Leaves the cluster. */
    @Override
    void close();
}
