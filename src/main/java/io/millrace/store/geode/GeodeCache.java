package io.millrace.store.geode;

import java.util.Set;
import org.apache.geode.cache.Region;

/** Geode as the store sees it: in this process, or reached through servers. Thread-safe. */
interface GeodeCache extends AutoCloseable {

    /**
     * Opens a region that is split over the members.
     *
     * @throws io.millrace.store.StoreException where it can't be
     */
    <K, V> Region<K, V> region(String name, Keeping keeping);

    /**
     * Opens a region of which every member has all.
     *
     * @throws io.millrace.store.StoreException where it can't be
     */
    <K, V> Region<K, V> shared(String name, boolean persistent);

    /** The keys of a region, wherever they are. */
    <K> Set<K> keys(Region<K, ?> region);

    /** How many entries a region has, wherever they are. */
    long size(Region<?, ?> region);

    /** Whether regions are elsewhere: opening one asks nobody, and says nothing of whether it is there. */
    boolean remote();

    /** Whether it is still there; false once it was closed, or thrown out of its cluster. */
    boolean isOpen();

    @Override
    void close();
}
