package io.millrace.store.geode.cache;

import io.millrace.background.FailureCode;
import io.millrace.codec.file.FileErrors;
import io.millrace.store.error.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The exclusive right of this process to use a data folder. The operating system holds the lock and releases it when
 * the process ends for any reason. The file's text names the process, for the error message of a second one. On
 * release, the file stays and is emptied: if it were deleted, a process could lock a file that another one has just
 * deleted.
 */
public final class FolderLock implements AutoCloseable {

    private static final String FILE = "millrace.lock";
    /** Far behind the text: some systems let no other process read the locked bytes. */
    private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;

    private static final int LONGEST_TEXT = 1024;

    private final FileChannel channel;

    private FolderLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Locks a folder, which must exist.
     *
     * @throws StoreException if another process holds the lock, or the lock file can't be written
     */
    static FolderLock take(Path folder) {
        Path file = folder.resolve(FILE);
        try {
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            try {
                if (lock(channel) == null) {
                    throw inUse(folder, channel);
                }
                write(channel, ProcessName.self() + " since " + Instant.now().truncatedTo(ChronoUnit.SECONDS));
                return new FolderLock(channel);
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } catch (IOException e) {
            throw new StoreException(FileErrors.describe(file.toString(), e), e);
        }
    }

    /**
     * Requires that no process holds the lock of a folder, which need not exist. Changes nothing.
     *
     * @throws StoreException if one holds it, or the lock file can't be opened
     */
    public static void requireFree(Path folder) {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            return;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (lock(channel) == null) {
                throw inUse(folder, channel);
            }
        } catch (IOException e) {
            throw new StoreException(FileErrors.describe(file.toString(), e), e);
        }
    }

    private static StoreException inUse(Path folder, FileChannel channel) throws IOException {
        return new StoreException(FailureCode.LOCKED_FOLDER.message("Folder '" + folder + "' is in use by "
                + owner(channel) + ". A data folder belongs to one process: stop that one, or name another folder."));
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock(LOCKED_BYTE, 1, false);
        } catch (OverlappingFileLockException e) {
            return null; // held by this process
        }
    }

    private static String owner(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(LONGEST_TEXT);
        int length = channel.read(text, 0);
        // The owner may not have written it yet.
        return length <= 0 ? "another process" : new String(text.array(), 0, length, StandardCharsets.UTF_8).strip();
    }

    private static void write(FileChannel channel, String text) throws IOException {
        channel.truncate(0);
        channel.write(ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8)), 0);
    }

    @Override
    public void close() {
        try (channel) {
            channel.truncate(0);
        } catch (IOException e) {
            throw new StoreException("The lock of the data folder can't be released: " + e.getMessage(), e);
        }
    }
}
