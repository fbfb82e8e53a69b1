package io.millrace.measure.run;

import io.millrace.store.write.RegionWriter;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The writers of the rows and alerts of a measure.
 *
 * @param rows writers of the rows of closed windows; may be none
 * @param alerts writers of the events of alerts, by the name of the alert; those of some may be missing
 */
public record RowWriters(List<Writer> rows, Map<String, List<Writer>> alerts) {

    /** No writers. */
    public static final RowWriters NONE = new RowWriters(List.of(), Map.of());

    /** The positions of a term without a commit. */
    public static final ToLongFunction<String> NOT_COMMITTED = _ -> 0;

    /**
     * The writer of one target.
     *
     * @param name name of its position in commits, which no other writer of the pipeline has
     * @param output whether it writes to an output. A region is removed together with the state of its measure, but an
     *     output remains, and a region needs no position in commits
     */
    public record Writer(String name, RegionWriter writer, boolean output) {}

    public RowWriters {
        rows = List.copyOf(rows);
        alerts = Map.copyOf(alerts);
    }
}
