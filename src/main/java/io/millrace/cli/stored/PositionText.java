package io.millrace.cli.stored;

import io.millrace.store.write.Commit;
import java.util.Map;
import java.util.TreeMap;

/** Formats a position for a terminal. */
final class PositionText {

    private PositionText() {}

    static String of(String writer, Commit commit) {
        Map<String, Long> regions = new TreeMap<>(commit.regions());
        return writer + ": position=" + commit.position() + " feed='" + commit.feed() + "' regions=" + regions
                + (commit.clean() ? "" : " (running, or not stopped in an orderly way)");
    }
}
