package io.millrace.pipeline.commit;

import io.millrace.pipeline.step.Retry;
import io.millrace.pipeline.step.StopLatch;
import io.millrace.store.write.Commit;
import io.millrace.store.write.RegionWriters;
import io.millrace.store.write.Term;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Stores the rows of tables as the commits of a pipeline do. */
public final class TableCommits {

    private final CommittedTables tables;

    public TableCommits(RegionWriters store) {
        tables = new CommittedTables(store, new Retry("trades", new StopLatch()));
    }

    public void begin(@Nullable Commit last) {
        tables.begin(last);
    }

    public void before(Term term, OutputVersion version) {
        tables.beforeCommit(term, version);
    }

    public void after(Term term, OutputVersion version, long position) {
        tables.afterCommit(term, version, position);
    }

    /** Returns the versions that a commit names. */
    public static Map<String, String> versions(OutputVersion version) {
        return version.tableVersions();
    }
}
