package io.millrace.store.geode;

import io.millrace.store.StoreException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.geode.cache.Cache;
import org.apache.geode.cache.CacheFactory;
import org.apache.geode.cache.PartitionAttributesFactory;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.RegionFactory;
import org.apache.geode.cache.RegionShortcut;
import org.apache.geode.cache.partition.PartitionRegionHelper;

/**
 * One Geode in this process, alone: no locator, no discovery, no management, nothing that listens. Geode allows one in
 * a process at a time.
 */
final class EmbeddedCache implements AutoCloseable {

    private static final String DISK_STORE = "millrace";
    private static final int OPLOG_MEGABYTES = 256;

    private final GeodeOptions options;
    private final Cache cache;

    EmbeddedCache(GeodeOptions options) {
        this.options = options;
        this.cache = new CacheFactory()
                .set("name", "millrace")
                .set("locators", "")
                .set("mcast-port", "0")
                .set("log-level", "warning")
                .set("statistic-sampling-enabled", "false")
                .set("enable-time-statistics", "false")
                .set("jmx-manager", "false")
                .set("http-service-port", "0")
                .set("enable-cluster-configuration", "false")
                .set("use-cluster-configuration", "false")
                // Geode wants to be able to write here at start, though nothing is ever deployed.
                .set("deploy-working-dir", System.getProperty("java.io.tmpdir"))
                .create();
    }

    /** Opens the disk store for the first region that needs it: without one, nothing is written to disk. */
    private void openDiskStore(Path folder) {
        if (cache.findDiskStore(DISK_STORE) != null) {
            return;
        }
        try {
            Files.createDirectories(folder);
            cache.createDiskStoreFactory()
                    .setDiskDirs(new File[] {folder.toFile()})
                    .setMaxOplogSize(OPLOG_MEGABYTES)
                    .setAutoCompact(true)
                    .create(DISK_STORE);
        } catch (RuntimeException | IOException e) {
            throw new StoreException("folder=" + folder + " can't be opened as a disk store: " + e.getMessage(), e);
        }
    }

    /** Makes a partitioned region, with all its buckets, so that no put has to. */
    <K, V> Region<K, V> region(String name, int copies, boolean persistent) {
        if (persistent) {
            Path folder = options.folder();
            if (folder == null) {
                throw new StoreException("region=" + name + " is persistent, but no folder for its files is set");
            }
            openDiskStore(folder);
        }
        RegionFactory<K, V> factory =
                cache.createRegionFactory(persistent ? RegionShortcut.PARTITION_PERSISTENT : RegionShortcut.PARTITION);
        if (persistent) {
            factory.setDiskStoreName(DISK_STORE).setDiskSynchronous(true);
        }
        try {
            Region<K, V> region = factory.setPartitionAttributes(new PartitionAttributesFactory<K, V>()
                            .setRedundantCopies(copies)
                            .setTotalNumBuckets(options.buckets())
                            .create())
                    // One writer per key: versions would only cost memory. Copies and disk need them.
                    .setConcurrencyChecksEnabled(persistent || copies > 0)
                    .create(name);
            PartitionRegionHelper.assignBucketsToPartitions(region);
            return region;
        } catch (RuntimeException e) {
            throw new StoreException("region=" + name + " can't be opened: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        cache.close();
    }
}
