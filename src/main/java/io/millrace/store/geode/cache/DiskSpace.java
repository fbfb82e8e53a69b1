package io.millrace.store.geode.cache;

import io.millrace.background.FailureCode;
import io.millrace.store.error.StoreException;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The free space of the disk that contains a data folder. Writes are refused while less than a reserve is free: a disk
 * store that encounters a full disk becomes unusable and closes everything. The reserve is what the disk store needs
 * for its next file and for compaction, so that retention can still free space. Thread-safe.
 */
public final class DiskSpace {

    private static final long MEGABYTE = 1 << 20;

    private final Path folder;
    private final long reserve;
    private final FileStore disk;

    /**
     * @param folder that exists
     * @param reserve in bytes; 0 to refuse no writes
     * @throws StoreException if the disk can't be determined
     */
    public DiskSpace(Path folder, long reserve) {
        this.folder = folder;
        this.reserve = reserve;
        try {
            disk = Files.getFileStore(folder);
        } catch (IOException e) {
            throw unknown(e);
        }
    }

    private StoreException unknown(IOException cause) {
        return new StoreException(
                "The free disk space of folder '" + folder + "' can't be determined: " + cause.getMessage(), cause);
    }

    /**
     * Requires that the reserve is free. Makes one system call, about a microsecond.
     *
     * @throws StoreException if less than the reserve is free
     */
    public void require() {
        if (reserve == 0) {
            return;
        }
        long free;
        try {
            free = disk.getUsableSpace();
        } catch (IOException e) {
            throw unknown(e);
        }
        if (free < reserve) {
            throw new StoreException(
                    FailureCode.FULL_DISK.message("The disk of folder '" + folder + "' is full: " + free / MEGABYTE
                            + " MB are free, millrace.data-reserve is " + reserve / MEGABYTE
                            + " MB. Free some space: writing continues by itself."));
        }
    }
}
