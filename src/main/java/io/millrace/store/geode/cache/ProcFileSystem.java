package io.millrace.store.geode.cache;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * What Linux reports about processes in {@code /proc}. Start times are in clock ticks since the boot, which steps of
 * the clock don't change; the start times of {@link ProcessHandle} are computed from the clock. Thread-safe.
 *
 * @param root {@code /proc}
 */
record ProcFileSystem(Path root) {

    /** The position of the start time among the fields of {@code stat}, from 1. See {@code proc_pid_stat(5)}. */
    private static final int START_TIME = 22;

    /** The first field after the name of the command. */
    private static final int STATE = 3;

    /** A mount of this kind shows a process as missing if it belongs to another user. */
    private static final Pattern HIDES_PROCESSES =
            Pattern.compile("\\S+ \\S+ proc (\\S+,)?hidepid=(2|4|invisible|ptraceable)[, ].*");

    /**
     * Returns a number that identifies this boot of the kernel and the namespaces that process IDs and start times
     * belong to; 0 if {@code /proc} does not show, or not reliably, which processes of these namespaces exist.
     *
     * @param self process ID of this process
     */
    int machine(long self) {
        try {
            boolean reliable = pid(read("self/stat")) == self
                    && Files.readAllLines(root.resolve("self/mounts"), StandardCharsets.ISO_8859_1).stream()
                            .noneMatch(mount -> HIDES_PROCESSES.matcher(mount).matches());
            return reliable ? machine() : 0;
        } catch (IOException | RuntimeException e) {
            return 0; // not Linux
        }
    }

    /** Containers on one host share the kernel's boot but not their processes. */
    private int machine() throws IOException {
        CRC32C crc = new CRC32C();
        for (String part : List.of(read("sys/kernel/random/boot_id"), namespace("pid"), namespace("time"))) {
            crc.update(part.getBytes(StandardCharsets.UTF_8));
        }
        return (int) crc.getValue();
    }

    private String namespace(String kind) throws IOException {
        Path link = root.resolve("self/ns").resolve(kind);
        boolean exists = Files.exists(link, LinkOption.NOFOLLOW_LINKS); // a kernel may not have this kind
        return exists ? Files.readSymbolicLink(link).toString() : "";
    }

    /**
     * Returns when a process was started, in clock ticks since the boot.
     *
     * @throws NoSuchFileException if the process does not exist
     * @throws IOException if this can't be read
     */
    long startTicks(long pid) throws IOException {
        String stat = read(pid + "/stat");
        try {
            // The command's name is in parentheses, and may contain spaces and parentheses.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return Long.parseLong(fields[START_TIME - STATE]);
        } catch (RuntimeException e) {
            throw new IOException("Invalid content of " + root.resolve(pid + "/stat") + ": " + stat, e);
        }
    }

    /** Returns whether it is certain that a process has ended, even if another one has its process ID by now. */
    boolean hasEnded(long pid, long startTicks) {
        try {
            return startTicks(pid) != startTicks;
        } catch (NoSuchFileException e) {
            return true;
        } catch (IOException e) {
            return false; // unknown, for example because it ended meanwhile
        }
    }

    private static long pid(String stat) {
        return Long.parseLong(stat.substring(0, stat.indexOf(' ')));
    }

    /** The name of a command may contain any bytes. */
    private String read(String file) throws IOException {
        return Files.readString(root.resolve(file), StandardCharsets.ISO_8859_1);
    }
}
