package io.millrace.store.geode.cache;

import io.millrace.store.error.CorruptDataException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.apache.geode.internal.cache.CountingDataInputStream;
import org.apache.geode.internal.cache.persistence.DiskInitFileInterpreter;
import org.apache.geode.internal.cache.persistence.DiskInitFileParser;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file in which Geode records the regions of a disk store, its files and its other members. Zeros follow the last
 * record. If that was written only in part, because the disk was full or lost power, Geode refuses the file, or begins
 * an empty disk store in its place; where a page in the middle is missing, it ignores what follows. Not thread-safe.
 */
final class DiskRecords {

    private static final Logger LOG = LoggerFactory.getLogger(DiskRecords.class);

    /** What the names of methods that receive a record begin with, as {@code cmnCreateRegion}. */
    private static final String RECORD = "cm";

    private final Path file;
    private final byte[] bytes;
    private final ByteArrayInputStream input;
    private final CountingDataInputStream counted;
    /** End of the last complete record. */
    private long complete;

    private DiskRecords(Path file, byte[] records) {
        this.file = file;
        this.bytes = records;
        this.input = new ByteArrayInputStream(records);
        this.counted = new CountingDataInputStream(input, records.length);
    }

    /**
     * Removes a last record that was written only in part. Geode has not carried out the change that it describes.
     *
     * @throws CorruptDataException if other records can't be read
     */
    static void repair(Path file) throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        byte[] all = Files.readAllBytes(file);
        int end = all.length;
        while (end > 0 && all[end - 1] == 0) {
            end--; // a complete record does not end with a zero
        }
        new DiskRecords(file, Arrays.copyOf(all, end)).repair();
    }

    private void repair() throws IOException {
        Exception failure = null;
        try {
            new DiskInitFileParser(counted, interpreter()).parse();
        } catch (IOException | ClassNotFoundException | RuntimeException e) {
            failure = e;
        }
        if (complete == bytes.length) {
            return;
        }
        if (input.available() > 0 || failure == null || complete == 0) {
            throw new CorruptDataException(
                    "Disk file '" + file + "' is corrupt: the record at byte " + complete + " is invalid. "
                            + Causes.RESTORE,
                    failure);
        }
        LOG.warn(
                "Incomplete last record removed: file={} offset={} length={}", file, complete, bytes.length - complete);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(complete);
        }
    }

    /** Returns an interpreter that notes where each record ends, which Geode passes to it once it has read its end. */
    private DiskInitFileInterpreter interpreter() {
        return (DiskInitFileInterpreter) Proxy.newProxyInstance(
                DiskInitFileInterpreter.class.getClassLoader(),
                new Class<?>[] {DiskInitFileInterpreter.class},
                (_, method, _) -> {
                    if (method.getName().startsWith(RECORD)) {
                        complete = counted.getCount();
                    }
                    Class<?> type = method.getReturnType();
                    return type == boolean.class ? (Object) false : type == String.class ? file.toString() : null;
                });
    }
}
