package io.millrace.store.query;

import java.io.Serializable;
import java.util.Collection;

/**
 * What a migration to the newest version of a region's schema has done.
 *
 * @param values number of blocks or entries that were read
 * @param rewritten number of those that were rewritten
 * @param unreadable number of blocks of earlier versions that stay as they are, because some of their records are
 *     invalid
 * @param done whether all values of the region were read
 */
public record Migration(long values, long rewritten, long unreadable, boolean done) implements Serializable {

    /** Returns the sum of the parts. */
    public static Migration sum(Collection<Migration> parts, boolean done) {
        return new Migration(
                parts.stream().mapToLong(Migration::values).sum(),
                parts.stream().mapToLong(Migration::rewritten).sum(),
                parts.stream().mapToLong(Migration::unreadable).sum(),
                done);
    }
}
