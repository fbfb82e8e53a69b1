package io.millrace.store.geode;

import java.util.Set;
import org.apache.geode.cache.Region;
import org.jspecify.annotations.Nullable;

/** Geode as the store sees it: in this process, or reached through servers. Thread-safe. */
interface GeodeCache extends AutoCloseable {

    /**
     * Opens a region that is split over the members.
     *
     * @param check of each write, null for none; a client has none in any case
     * @throws io.millrace.store.StoreException where it can't be
     */
    <K, V> Region<K, V> region(String name, StoragePolicy keeping, @Nullable TermCheck check);

    /**
     * Opens a region of which every member has all. In a cluster the changes of a key happen one after the other,
     * wherever they come from: each takes a distributed lock.
     *
     * @param check of each write, null for none; a client has none in any case
     * @throws io.millrace.store.StoreException where it can't be
     */
    <V> Region<String, V> shared(String name, boolean persistent, @Nullable TermCheck check);

    /**
     * Opens a region in memory of which every member has all, sooner or later: a change waits for no other member, so
     * that it is quick even while one of them does not answer.
     *
     * @throws io.millrace.store.StoreException where it can't be
     */
    <V> Region<String, V> spread(String name);

    /** The keys of a region, wherever they are. */
    <K> Set<K> keys(Region<K, ?> region);

    /** How many entries a region has, wherever they are. */
    long size(Region<?, ?> region);

    /**
     * Makes sure that a region may grow, where it is on a disk of this process.
     *
     * @throws io.millrace.store.StoreException where the disk is full
     */
    void requireSpace(Region<?, ?> region);

    /**
     * Makes sure that regions on a disk of this process may grow.
     *
     * @throws io.millrace.store.StoreException where the disk is full
     */
    void requireSpace();

    /** Whether regions are elsewhere: opening one asks nobody, and says nothing of whether it is there. */
    boolean remote();

    /** Whether it is still there; false once it was closed, or thrown out of its cluster. */
    boolean isOpen();

    @Override
    void close();
}
