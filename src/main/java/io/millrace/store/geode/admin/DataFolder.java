package io.millrace.store.geode.admin;

import io.millrace.store.catalog.CatalogEntry;
import io.millrace.store.catalog.StoredDefinition;
import io.millrace.store.catalog.StoredDefinition.Kind;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.geode.cache.PeerCache;
import io.millrace.store.geode.cache.ProcessName;
import io.millrace.store.geode.cache.StoragePolicy;
import io.millrace.store.geode.region.RegionCatalog;
import io.millrace.store.geode.shared.SharedMap;
import io.millrace.store.geode.shared.SharedMaps;
import io.millrace.store.geode.shared.States;
import io.millrace.store.geode.shared.StoredCommits;
import io.millrace.store.geode.shared.WriterRegistry;
import io.millrace.store.region.Memory;
import io.millrace.store.write.Commit;
import io.millrace.store.write.Term;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.apache.geode.cache.Region;
import org.jspecify.annotations.Nullable;

/**
 * The data folder of a stopped service. Reads keys and leaves values on disk, independent of their number. Not
 * thread-safe.
 */
public final class DataFolder implements StoredData {

    private static final String STORE_FILE = "BACKUPmillrace.if";
    private static final String RECOVER_VALUES = "gemfire.disk.recoverValues";
    private static final long POLL_INTERVAL_MILLIS = 50;

    /** Limits the wait for other members. A region waits briefly even if no other member has it. */
    private static final int MAX_WAITING_POLLS = 400;

    private final Path folder;
    private final @Nullable String recoverValuesBefore;
    private final PeerCache cache;
    private final RegionCatalog catalog;
    private final Map<String, Region<Object, byte[]>> regions = new TreeMap<>();
    private final SharedMaps shared;
    private @Nullable SharedMap<byte[]> states;

    /**
     * Opens the data folder of a stopped service.
     *
     * @throws StoreException if the folder is not a data folder, or a running process has it open
     */
    public DataFolder(Path folder) {
        this.folder = folder;
        if (!isOne(folder)) {
            throw new StoreException("Folder '" + folder + "' holds no data of Millrace. Name the folder that"
                    + " millrace.data named when the data was stored.");
        }
        recoverValuesBefore = System.getProperty(RECOVER_VALUES);
        System.setProperty(RECOVER_VALUES, "false");
        try {
            cache = new PeerCache(GeodeOptions.inFolder(folder));
        } catch (RuntimeException e) {
            restoreProperty();
            throw e;
        }
        catalog = new RegionCatalog(cache, null);
        shared = new SharedMaps(cache, true, null);
        try {
            // The first region to be opened opens the folder.
            states = opened(() -> shared.states(true));
            var _ = opened(() -> {
                catalog.open();
                return true;
            });
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Returns whether a folder contains persistent regions, or values that did not fit into memory. */
    public static boolean isOne(Path folder) {
        return Files.isRegularFile(folder.resolve(STORE_FILE));
    }

    /** Opens a region, unless this requires the disk store of another member of a cluster. */
    private <T> T opened(Supplier<T> opening) {
        CompletableFuture<T> opened = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("data-folder").start(() -> {
            try {
                opened.complete(opening.get());
            } catch (Throwable e) { // Includes errors: otherwise opened() would never return.
                opened.completeExceptionally(e);
            }
        });
        int waitingPolls = 0;
        while (!opened.isDone()) {
            waitingPolls = cache.waitsForOthers() ? waitingPolls + 1 : 0;
            if (waitingPolls > MAX_WAITING_POLLS) {
                throw new StoreException("Folder '" + folder + "' is of a member of a cluster, of which another member"
                        + " has newer data. Compare with the running cluster instead.");
            }
            pause();
        }
        try {
            return opened.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof StoreException known
                    ? known
                    : new StoreException(String.valueOf(e.getMessage()), e);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(POLL_INTERVAL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("The data folder was not opened in time.", e);
        }
    }

    @Override
    public List<CatalogEntry> entries() {
        return catalog.entries(this::values);
    }

    private long values(String name, StoredDefinition definition) {
        return definition.kind() == Kind.MEASURE
                ? States.count(states(), name)
                : region(name, definition).size();
    }

    private WriterClaims claims() {
        return opened(() -> {
            shared.open(true);
            WriterRegistry registry =
                    new WriterRegistry(shared::writers, null, ProcessName.self(), WriterRegistry::newToken);
            return new WriterClaims(shared, registry, Duration.ZERO);
        });
    }

    private StoredPositions storedPositions() {
        return new StoredPositions(shared, claims(), false);
    }

    private SharedMap<byte[]> states() {
        SharedMap<byte[]> opened = states;
        if (opened == null) {
            throw new StoreException("Folder '" + folder + "' is closed.");
        }
        return opened;
    }

    private Region<Object, byte[]> region(String name, StoredDefinition definition) {
        return regions.computeIfAbsent(
                name,
                _ -> opened(() -> cache.region(
                        name,
                        new StoragePolicy(
                                Integer.parseInt(String.valueOf(definition.property("redundant-copies"))),
                                true,
                                Memory.HEAP),
                        null)));
    }

    @Override
    public void remove(CatalogEntry entry) {
        String name = entry.name();
        WriterClaims claims = claims();
        Term tool = claims.claim(Removal.TOOL, true);
        try {
            if (entry.definition().kind() == Kind.MEASURE) {
                Removal.removeStates(states(), name, tool);
            } else {
                // Removed first, so that an interrupted removal leaves nothing that counts as stored.
                new StoredCommits(shared.commits(true)).removeRegion(name, tool);
                region(name, entry.definition()).destroyRegion();
                regions.remove(name);
            }
            catalog.remove(name);
            storedPositions().audit("regions remove name=" + name);
        } finally {
            claims.forget(tool);
        }
    }

    @Override
    public Map<String, Commit> positions() {
        return storedPositions().all();
    }

    @Override
    public void resetPosition(String writer) {
        storedPositions().reset(writer);
    }

    @Override
    public Map<String, String> audit() {
        return storedPositions().audit();
    }

    @Override
    public void close() {
        cache.close();
        restoreProperty();
    }

    private void restoreProperty() {
        if (recoverValuesBefore == null) {
            System.clearProperty(RECOVER_VALUES);
        } else {
            System.setProperty(RECOVER_VALUES, recoverValuesBefore);
        }
    }
}
