package io.millrace.store.geode;

import org.jspecify.annotations.Nullable;

/** What takes part in a cluster: a member of it, or a locator. */
interface Member extends AutoCloseable {

    /** Whether it still does; false once it was closed, or thrown out. */
    boolean isOpen();

    /** What made it leave by itself, such as a disk that failed; null where it was thrown out, or has not left. */
    @Nullable
    String failure();

    /** Leaves the cluster. */
    @Override
    void close();
}
