package io.millrace.table.cache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Which start of the machine this is. A process that is killed leaves every page of a mapped file as it was; a machine
 * that goes down may have written some to disk, and others not.
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

    /** Whether the machine tells. */
    boolean isKnown() {
        return high != 0 || low != 0;
    }
}
