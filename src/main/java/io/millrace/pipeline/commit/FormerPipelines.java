package io.millrace.pipeline.commit;

import io.millrace.background.FailureCode;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedChangedException;
import io.millrace.feed.Split;
import io.millrace.store.write.Commit;
import io.millrace.store.write.WriterName;
import java.io.IOException;
import java.util.Map;
import java.util.Set;

/**
 * Detects feeds that a pipeline which is no longer configured has read. Without this check, a renamed pipeline would
 * start at the beginning of its feed and store all records twice.
 *
 * @param configured names of the pipelines in this process's configuration
 * @param readAgain whether to read such a feed anyway
 */
public record FormerPipelines(Set<String> configured, boolean readAgain) {

    /**
     * Verifies that no such pipeline has stored the feed in one of these regions.
     *
     * @param pipeline name of a pipeline that has read nothing so far
     * @param regions regions that it writes to
     * @param commits commits of all pipelines, by the text of their writers' names
     * @throws IllegalStateException if such a pipeline exists
     * @throws IOException if the feed cannot be identified
     */
    void requireUnread(String pipeline, Set<String> regions, Feed feed, Map<String, Commit> commits)
            throws IOException {
        if (readAgain) {
            return;
        }
        for (Map.Entry<String, Commit> entry : commits.entrySet()) {
            String former = WriterName.parse(entry.getKey()).pipeline();
            Commit commit = entry.getValue();
            if (!configured.contains(former)
                    && regions.stream().anyMatch(region -> commit.covers(region) > 0)
                    && isOf(feed, commit)) {
                throw new IllegalStateException(FailureCode.RENAMED_PIPELINE.message("Pipeline '" + pipeline
                        + "' has read nothing so far, but pipeline '"
                        + former + "', which is not configured, has read the same feed up to position "
                        + commit.position() + " and stored its records in the same region. To continue after a change"
                        + " of the name, give the pipeline its old name. To store these records a second time, set"
                        + " on-known-feed: read."));
            }
        }
    }

    private static boolean isOf(Feed feed, Commit commit) throws IOException {
        try {
            feed.verify(Split.unmarked(commit.feed()));
            return true;
        } catch (FeedChangedException e) {
            return false;
        }
    }
}
