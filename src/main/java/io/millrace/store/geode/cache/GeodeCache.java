package io.millrace.store.geode.cache;

import java.util.Set;
import org.apache.geode.cache.CacheWriter;
import org.apache.geode.cache.Region;
import org.jspecify.annotations.Nullable;

/** Geode from the store's point of view: embedded in this process, or reached through servers. Thread-safe. */
public interface GeodeCache extends AutoCloseable {

    /**
     * Opens a region that is partitioned over the members.
     *
     * @param check of each write or removal, null for none; a client never has one
     * @throws io.millrace.store.error.StoreException if the region can't be opened
     */
    <K, V> Region<K, V> region(String name, StoragePolicy policy, @Nullable CacheWriter<Object, Object> check);

    /**
     * Opens a region that is replicated on every member. In a cluster, changes of a key are serialized across all
     * members: each takes a distributed lock.
     *
     * @param persistent whether it is on disk
     * @param large whether its values are large and seldom read: if they are on disk, few of them are on the heap
     * @param check of each write, null for none; a client never has one
     * @throws io.millrace.store.error.StoreException if the region can't be opened
     */
    <V> Region<String, V> shared(String name, boolean persistent, boolean large, @Nullable TermCheck check);

    /**
     * Opens an in-memory region that is replicated asynchronously on every member: a change does not wait for other
     * members, so it is fast even while one of them does not answer.
     *
     * @throws io.millrace.store.error.StoreException if the region can't be opened
     */
    <V> Region<String, V> spread(String name);

    /** Returns the keys of a region on all members. */
    <K> Set<K> keys(Region<K, ?> region);

    /** Returns the number of entries of a region on all members. */
    long size(Region<?, ?> region);

    /**
     * Requires that a region may grow, if it is on a disk of this process.
     *
     * @throws io.millrace.store.error.StoreException if the disk is full
     */
    void requireSpace(Region<?, ?> region);

    /**
     * Requires that regions on a disk of this process may grow.
     *
     * @throws io.millrace.store.error.StoreException if the disk is full
     */
    void requireSpace();

    /**
     * Returns whether regions are on servers. Opening such a region contacts no server, and does not show whether the
     * region exists.
     */
    boolean remote();

    /**
     * Returns whether the cache is open; false after it was closed or removed from its cluster by a forced disconnect.
     */
    boolean isOpen();

    @Override
    void close();
}
