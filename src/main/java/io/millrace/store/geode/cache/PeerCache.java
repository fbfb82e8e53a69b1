package io.millrace.store.geode.cache;

import io.millrace.codec.file.FileErrors;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.guard.LeaseRenewal;
import io.millrace.store.geode.guard.MemberLease;
import io.millrace.store.geode.guard.MembershipStack;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.geode.cache.Cache;
import org.apache.geode.cache.CacheFactory;
import org.apache.geode.cache.CacheWriter;
import org.apache.geode.cache.DiskStoreFactory;
import org.apache.geode.cache.EvictionAction;
import org.apache.geode.cache.EvictionAttributes;
import org.apache.geode.cache.PartitionAttributesFactory;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.RegionFactory;
import org.apache.geode.cache.RegionShortcut;
import org.apache.geode.cache.Scope;
import org.apache.geode.cache.partition.PartitionRegionHelper;
import org.apache.geode.cache.partition.PartitionRegionInfo;
import org.apache.geode.cache.server.CacheServer;
import org.apache.geode.distributed.DistributedMember;
import org.apache.geode.internal.cache.GemFireCacheImpl;
import org.apache.geode.internal.cache.InternalCache;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Geode in this process that stores data: alone, or as a member of a cluster. Geode allows one in a process at a
 * time.
 */
public final class PeerCache implements GeodeCache {

    private static final Logger LOG = LoggerFactory.getLogger(PeerCache.class);

    private static final String DISK_STORE = "millrace";
    private static final int OPLOG_MEGABYTES = 256;
    private static final float ALL = 100;
    private static final int NO_LEASE = -1;
    private static final int LARGE_VALUES_ON_HEAP = 8;

    private final GeodeOptions options;
    private final Cache cache;
    /** All are set once the disk store is open. Only a process that runs alone checks its disk space itself. */
    private @Nullable FolderLock lock;

    private @Nullable DiskFiles files;
    private volatile @Nullable DiskSpace space;
    /** Set once clients are served. */
    private volatile @Nullable PortProbe probe;
    /** Whether Geode may have written records of regions and buckets that {@link #forceRecords} has not. */
    private final AtomicBoolean unforced = new AtomicBoolean();

    /** @throws StoreException if the cluster can't be joined */
    public PeerCache(GeodeOptions options) {
        this.options = options;
        ClusterOptions cluster = options.cluster();
        GeodeMemory memory = options.memory();
        Properties properties =
                cluster == null ? GeodeProperties.alone(memory) : GeodeProperties.server(cluster, memory);
        FiniteCauses.use();
        if (cluster != null) {
            MembershipClock.use();
        }
        MemberLease.begin(cluster == null ? Duration.ZERO : cluster.memberTimeout());
        try {
            this.cache = MembershipStack.use(
                    cluster != null && cluster.encryptsDatagrams(), () -> new CacheFactory(properties).create());
        } catch (IOException | RuntimeException e) {
            throw new StoreException("Geode can't be started: " + Causes.first(e), e);
        }
        if (cluster != null) {
            LeaseRenewal.start(cache);
        }
        // With a lease, a member whose clock jumps ahead would believe that it has ended before it holds the lock, and
        // wait for its own lock until the member that grants it believes the same.
        cache.setLockLease(NO_LEASE);
        cache.getResourceManager().setCriticalHeapPercentage(memory.criticalHeapPercentage());
        if (memory.offHeapMegabytes() > 0) {
            cache.getResourceManager().setCriticalOffHeapPercentage(memory.offHeapCriticalAt());
        }
    }

    /** Opens the disk store for the first region that needs it: without one, nothing is written to disk. */
    private synchronized void openDiskStore(Path folder) {
        if (cache.findDiskStore(DISK_STORE) != null) {
            return;
        }
        try {
            PrivateFolder.create(folder);
            if (lock == null) {
                lock = FolderLock.take(folder);
            }
            DiskFiles found = new DiskFiles(folder);
            found.requireIntact();
            DiskRecords.repair(records(folder));
            files = found;
            DiskStoreFactory factory = cache.createDiskStoreFactory()
                    .setDiskDirs(new File[] {folder.toFile()})
                    .setMaxOplogSize(OPLOG_MEGABYTES)
                    .setAutoCompact(true);
            if (options.cluster() == null) {
                // Geode would close the cache when the disk is nearly full; writes are refused instead.
                factory.setDiskUsageCriticalPercentage(0);
                space = new DiskSpace(folder, options.diskReserve());
            }
            factory.create(DISK_STORE);
        } catch (StoreException e) {
            throw e;
        } catch (IOException e) {
            throw new StoreException(FileErrors.describe(folder.toString(), e), e);
        } catch (RuntimeException e) {
            throw new StoreException("Folder '" + folder + "' can't be opened as a disk store: " + Causes.first(e), e);
        }
    }

    private static Path records(Path folder) {
        return folder.resolve("BACKUP" + DISK_STORE + ".if");
    }

    /**
     * Writes Geode's records of regions and buckets to the disk. It ignores values of buckets that it has no record of,
     * which the loss of power could leave otherwise. Must be called before the first value is written to a persistent
     * region. A member of a cluster does so itself when it opens the region, because others may write to it at once.
     */
    public void forceRecords() {
        synchronized (unforced) { // others wait until it is done
            if (unforced.getAndSet(false)) {
                force();
            }
        }
    }

    private void force() {
        Path folder = Objects.requireNonNull(options.folder());
        try (FileChannel channel = FileChannel.open(records(folder), StandardOpenOption.WRITE)) {
            channel.force(true);
        } catch (IOException e) {
            unforced.set(true);
            throw new StoreException(FileErrors.describe(records(folder).toString(), e), e);
        }
    }

    /** Opens a region and creates all its buckets, so that no put has to. */
    @Override
    public <K, V> Region<K, V> region(String name, StoragePolicy policy, @Nullable CacheWriter<Object, Object> check) {
        if (policy.memory().offHeap() && options.memory().offHeapMegabytes() == 0) {
            throw new StoreException(
                    "Region '" + name + "' needs memory outside the heap. Set millrace.geode.off-heap-memory.");
        }
        boolean persistent = policy.persistent();
        RegionFactory<K, V> factory = factory(
                name, policy.usesDisk(), persistent ? RegionShortcut.PARTITION_PERSISTENT : RegionShortcut.PARTITION);
        PartitionAttributesFactory<K, V> parts = new PartitionAttributesFactory<K, V>()
                .setRedundantCopies(policy.copies())
                .setTotalNumBuckets(options.buckets());
        if (policy.memory().limit() != null) {
            int megabytes = policy.memory().limitMegabytes();
            parts.setLocalMaxMemory(megabytes);
            factory.setEvictionAttributes(
                    EvictionAttributes.createLRUMemoryAttributes(megabytes, null, EvictionAction.OVERFLOW_TO_DISK));
        }
        check(factory, check);
        try {
            Region<K, V> region = factory.setPartitionAttributes(parts.create())
                    .setOffHeap(policy.memory().offHeap())
                    // Each key has one writer, so versions would only cost memory, except that redundant copies and
                    // disk need them.
                    .setConcurrencyChecksEnabled(persistent || policy.copies() > 0)
                    .create(name);
            PartitionRegionHelper.assignBucketsToPartitions(region);
            if (persistent) {
                unforced.set(true);
                if (options.cluster() != null) {
                    forceRecords();
                }
            }
            return region;
        } catch (RuntimeException e) {
            throw new StoreException("Region '" + name + "' can't be opened: " + e.getMessage(), e);
        }
    }

    @Override
    public <V> Region<String, V> shared(String name, boolean persistent, boolean large, @Nullable TermCheck check) {
        RegionFactory<String, V> factory =
                factory(name, persistent, persistent ? RegionShortcut.REPLICATE_PERSISTENT : RegionShortcut.REPLICATE);
        if (options.cluster() != null) {
            factory.setScope(Scope.GLOBAL);
        }
        if (persistent && large) {
            factory.setEvictionAttributes(
                    EvictionAttributes.createLRUEntryAttributes(LARGE_VALUES_ON_HEAP, EvictionAction.OVERFLOW_TO_DISK));
        }
        check(factory, check);
        return create(name, factory);
    }

    @Override
    public <V> Region<String, V> spread(String name) {
        return create(
                name,
                cache.<String, V>createRegionFactory(RegionShortcut.REPLICATE).setScope(Scope.DISTRIBUTED_NO_ACK));
    }

    private static <V> Region<String, V> create(String name, RegionFactory<String, V> factory) {
        try {
            return factory.create(name);
        } catch (RuntimeException e) {
            throw new StoreException("Region '" + name + "' can't be opened: " + e.getMessage(), e);
        }
    }

    @SuppressWarnings("unchecked") // it reads neither key nor value
    private static <K, V> void check(RegionFactory<K, V> factory, @Nullable CacheWriter<Object, Object> check) {
        if (check != null) {
            factory.setCacheWriter((CacheWriter<K, V>) (CacheWriter<?, ?>) check);
        }
    }

    private <K, V> RegionFactory<K, V> factory(String name, boolean onDisk, RegionShortcut shortcut) {
        if (!onDisk) {
            return cache.createRegionFactory(shortcut);
        }
        Path folder = options.folder();
        if (folder == null) {
            throw new StoreException("Region '" + name + "' needs a folder for its files. Set millrace.data.");
        }
        openDiskStore(folder);
        return cache.<K, V>createRegionFactory(shortcut)
                .setDiskStoreName(DISK_STORE)
                .setDiskSynchronous(true);
    }

    @Override
    public <K> Set<K> keys(Region<K, ?> region) {
        return region.keySet();
    }

    @Override
    public long size(Region<?, ?> region) {
        return region.size();
    }

    @Override
    public void requireSpace(Region<?, ?> region) {
        if (region.getAttributes().getDiskStoreName() != null) {
            requireSpace();
        }
    }

    @Override
    public void requireSpace() {
        DiskSpace known = space;
        if (known != null) {
            known.require();
        }
    }

    @Override
    public boolean remote() {
        return false;
    }

    @Override
    public boolean isOpen() {
        return !cache.isClosed();
    }

    /** Returns the failure that closed the cache; null after a forced disconnect, or while it is open. */
    @Nullable
    public String failure() {
        Throwable cause = cache instanceof GemFireCacheImpl closed && !closed.forcedDisconnect()
                ? closed.getDisconnectCause()
                : null;
        return cause == null ? null : Causes.describe(cause);
    }

    /** Returns whether the cache was closed because a disk file is shorter than it was: it can't be opened again. */
    public boolean isTruncated() {
        return cache instanceof GemFireCacheImpl closed && Causes.isTruncation(closed.getDisconnectCause());
    }

    /** Returns whether a region can't be opened yet because another member of its cluster had newer data of it. */
    public boolean waitsForOthers() {
        return cache instanceof GemFireCacheImpl impl
                && !impl.getPersistentMemberManager().getWaitingRegions().isEmpty();
    }

    /** Returns the number of buckets of a region that have fewer redundant copies than configured. */
    public int lackingCopies(Region<?, ?> region) {
        try {
            PartitionRegionInfo info = PartitionRegionHelper.getPartitionRegionInfo(region);
            return info == null ? 0 : info.getLowRedundancyBucketCount();
        } catch (RuntimeException e) {
            throw new StoreException("Region '" + region.getName() + "' can't be queried: " + e.getMessage(), e);
        }
    }

    /**
     * Starts to serve clients, and rebalances data of the other members to this one.
     *
     * @throws StoreException if the port can't be bound
     */
    public void serve(ClusterOptions cluster) {
        CacheServer server = cache.addCacheServer();
        server.setPort(cluster.port());
        if (cluster.bindAddress() != null) {
            server.setBindAddress(cluster.bindAddress());
        }
        if (cluster.publicAddress() != null) {
            server.setHostnameForClients(cluster.publicAddress());
        }
        ServerSockets.use(server);
        try {
            server.start();
        } catch (IOException e) {
            throw new StoreException("Port " + cluster.port() + " can't be bound: " + e.getMessage(), e);
        }
        probe = PortProbe.ofServer(cluster, cache.getDistributedSystem().getDistributedMember(), this::isOpen);
        var _ = cache.getResourceManager().createRebalanceFactory().start();
    }

    /** Returns the probe of the port, or null if no clients are served. */
    public @Nullable PortProbe probe() {
        return probe;
    }

    private void stopProbe() {
        PortProbe started = probe;
        if (started != null) {
            started.close();
        }
    }

    /** Stops serving clients, and transfers in-memory regions without redundant copies to another member. */
    public void transferBuckets() {
        stopProbe();
        cache.getCacheServers().forEach(CacheServer::stop);
        for (Region<?, ?> region : cache.rootRegions()) {
            boolean alone = region.getAttributes().getPartitionAttributes() != null
                    && region.getAttributes().getPartitionAttributes().getRedundantCopies() == 0
                    && !region.getAttributes().getDataPolicy().withPersistence();
            if (alone) {
                transferBuckets(region);
            }
        }
    }

    private void transferBuckets(Region<?, ?> region) {
        DistributedMember self = cache.getDistributedSystem().getDistributedMember();
        try {
            for (DistributedMember other : cache.getMembers(region)) {
                PartitionRegionHelper.moveData(region, self, other, ALL);
                LOG.info("Region transferred: region={} member={}", region.getName(), other.getName());
                return;
            }
        } catch (RuntimeException e) {
            LOG.warn("Region not transferred: region={} reason={}", region.getName(), e.getMessage());
        }
    }

    @Override
    public synchronized void close() {
        stopProbe();
        boolean orderly = isOpen();
        try {
            cache.close();
            if (cache instanceof InternalCache closed) {
                // Geode closes the disk stores that it knows. It learns of one when it is open, which may be after a
                // forced disconnect has closed the cache: its lock would keep this process from opening the folder.
                closed.closeDiskStores();
            }
            DiskFiles opened = files;
            if (orderly && opened != null) {
                opened.list();
            }
        } finally {
            files = null;
            FolderLock held = lock;
            if (held != null) {
                lock = null;
                held.close();
            }
        }
    }
}
