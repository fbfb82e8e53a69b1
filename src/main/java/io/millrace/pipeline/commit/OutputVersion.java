package io.millrace.pipeline.commit;

import io.millrace.store.write.Commit;
import io.millrace.store.write.RegionWriter;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A version of the rules by which a pipeline processes records, with the rows of tables that they use.
 *
 * @param number number of the version
 * @param rules fingerprint of the rules, equal for equal rules
 * @param earlier fingerprints of the same rules with earlier versions of the schema, whose records these accept too
 * @param writers writers of the targets to which these rules can send records, by target
 * @param tables rows of the tables that these rules use, by the name of the table
 */
public record OutputVersion(
        long number, String rules, Set<String> earlier, Map<String, RegionWriter> writers, Map<String, Rows> tables) {

    /** Creates a version of rules that use no table. */
    public OutputVersion(long number, String rules, Set<String> earlier, Map<String, RegionWriter> writers) {
        this(number, rules, earlier, writers, Map.of());
    }

    /** Returns the versions of the tables, by name. */
    Map<String, String> tableVersions() {
        Map<String, String> versions = new TreeMap<>();
        tables.forEach((table, rows) -> versions.put(table, rows.version()));
        return versions;
    }

    /** Returns whether a commit was made with these rules and these rows. */
    boolean isOf(Commit commit) {
        return number == commit.version() && tableVersions().equals(commit.tables());
    }

    /**
     * The rows of a table.
     *
     * @param version equal for equal rows
     * @param bytes the rows as they are stored
     */
    public record Rows(String version, MemorySegment bytes) {}
}
