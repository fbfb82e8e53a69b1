package io.millrace.store.geode;

/** What takes part in a cluster: a member of it, or a locator. */
interface Member extends AutoCloseable {

    /** Whether it still does; false once it was closed, or thrown out. */
    boolean isOpen();

    /** Leaves the cluster. */
    @Override
    void close();
}
