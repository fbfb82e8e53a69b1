package io.millrace.measure;

import io.millrace.store.write.RegionWriter;
import java.util.List;
import java.util.Map;

/**
 * What writes the rows and alerts of a measure to their targets.
 *
 * @param rows writers of the rows of closed windows; may be none
 * @param alerts writers of the events of alerts, by the name of the alert; those of some may be missing
 */
public record RowWriters(List<RegionWriter> rows, Map<String, List<RegionWriter>> alerts) {

    /** Writes nothing. */
    public static final RowWriters NONE = new RowWriters(List.of(), Map.of());

    public RowWriters {
        rows = List.copyOf(rows);
        alerts = Map.copyOf(alerts);
    }
}
