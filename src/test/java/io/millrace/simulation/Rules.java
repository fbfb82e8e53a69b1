package io.millrace.simulation;

/**
 * Where a record goes by a version of the rules: fixed for each record and version, and different between versions.
 *
 * @param entries whether some go to a region of entries; else these are dropped
 * @param regionsChange whether every third version drops them nevertheless, and so does not have this region, and
 *     another third does not have the region of blocks
 */
record Rules(int version, boolean entries, boolean regionsChange) {

    /** Whether this version can send records to the region of entries. */
    boolean writesEntries() {
        return entries && !(regionsChange && version % 3 == 2);
    }

    /** Whether this version can send records to the region of blocks. */
    boolean writesBlocks() {
        return !(entries && regionsChange && version % 3 == 1);
    }

    Rules version(int other) {
        return new Rules(other, entries, regionsChange);
    }

    enum Target {
        BLOCKS,
        ENTRIES,
        CHANNEL,
        REJECTED,
        DROPPED
    }

    Target target(long id) {
        if ((id + version) % 23 == 7) {
            return Target.REJECTED;
        }
        // Long runs in which nothing is stored make positions advance alone.
        if ((id / 16 + version) % 4 == 1) {
            return Target.DROPPED;
        }
        return switch ((int) ((id * 31 + version * 7L) % 8)) {
            case 0, 1, 2, 3 -> writesBlocks() ? Target.BLOCKS : Target.ENTRIES;
            case 4, 5 -> writesEntries() ? Target.ENTRIES : Target.DROPPED;
            case 6 -> Target.CHANNEL;
            default -> Target.DROPPED;
        };
    }
}
