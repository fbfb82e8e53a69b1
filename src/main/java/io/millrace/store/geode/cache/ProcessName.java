package io.millrace.store.geode.cache;

import io.millrace.store.write.HostName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.zip.CRC32C;

/**
 * The identity of a process among all that use a cluster.
 *
 * @param host name of its host, for display
 * @param pid process ID on that host
 * @param started start time in milliseconds since 1970: process IDs are reused
 * @param machine identifies the kernel and the process namespace of the process ID; 0 if unknown
 */
public record ProcessName(String host, long pid, long started, int machine) {

    private static final ProcessName SELF = read();

    /** Returns this process. */
    public static ProcessName self() {
        return SELF;
    }

    private static ProcessName read() {
        ProcessHandle process = ProcessHandle.current();
        return new ProcessName(
                HostName.get(),
                process.pid(),
                process.info().startInstant().map(Instant::toEpochMilli).orElse(0L),
                readMachine());
    }

    /** Containers on one host share the kernel's boot but not their processes. */
    private static int readMachine() {
        try {
            String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id"));
            String namespace =
                    Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
            CRC32C crc = new CRC32C();
            crc.update((boot + namespace).getBytes(StandardCharsets.UTF_8));
            return (int) crc.getValue();
        } catch (IOException | RuntimeException e) {
            return 0; // not Linux
        }
    }

    /** Returns the text that {@link #parse} reads: {@code host-1:4711:1795000000000:9f3a0c11}. */
    public String text() {
        return host + ":" + pid + ":" + started + ":" + Integer.toHexString(machine);
    }

    /**
     * Parses a name.
     *
     * @throws IllegalArgumentException if the text does not describe a process
     */
    public static ProcessName parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != 4) {
            throw new IllegalArgumentException("Invalid process '" + text + "'.");
        }
        return new ProcessName(
                parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]), Integer.parseUnsignedInt(parts[3], 16));
    }

    /** Returns whether the process is known to have ended: it ran on this machine, and no longer exists there. */
    public boolean hasEnded() {
        return machine != 0
                && machine == SELF.machine
                && ProcessHandle.of(pid)
                        .filter(ProcessHandle::isAlive)
                        .filter(process -> process.info()
                                .startInstant()
                                .map(start -> start.toEpochMilli() == started)
                                .orElse(true))
                        .isEmpty();
    }

    /** Returns a text for display. */
    @Override
    public String toString() {
        return host + " (process " + pid + ")";
    }
}
