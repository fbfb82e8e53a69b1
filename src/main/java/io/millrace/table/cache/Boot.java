package io.millrace.table.cache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Identifies a boot of the operating system. After a process is killed, the kernel still writes every dirty page of a
 * mapped file. After a machine crash, some pages may be on disk and others not.
 */
record Boot(long high, long low) {

    static final Boot CURRENT = read(Path.of("/proc/sys/kernel/random/boot_id"));

    private static Boot read(Path file) {
        try {
            UUID id = UUID.fromString(Files.readString(file).strip());
            return new Boot(id.getMostSignificantBits(), id.getLeastSignificantBits());
        } catch (IOException | IllegalArgumentException _) {
            return new Boot(0, 0);
        }
    }

    /** Returns whether the operating system provides a boot id. */
    boolean isKnown() {
        return high != 0 || low != 0;
    }
}
