package io.millrace.pipeline.rules;

import io.millrace.pipeline.rules.RulesFile.Content;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The watched file of one pipeline. A content is submitted when two polls in a row have read it, so that a file that is
 * being written is not. Used by one thread.
 */
final class WatchedFile {

    private static final Logger LOG = LoggerFactory.getLogger(WatchedFile.class);

    private final RulesFile file;
    private final FollowedRules rules;
    private final RuleChanges changes;

    /** What the last poll has read; null if there was no file. */
    private @Nullable Content latest;

    /** The content that was applied, or refused; null if there was no file. */
    private @Nullable Content processed;

    WatchedFile(RulesFile file, FollowedRules rules, RuleChanges changes) {
        this.file = file;
        this.rules = rules;
        this.changes = changes;
    }

    String pipeline() {
        return rules.pipeline().name();
    }

    /** Reads the file, and submits a new content. */
    void poll() {
        Content content = file.read();
        boolean stable = content == null ? latest == null : content.equals(latest);
        latest = content;
        if (!stable) {
            return;
        }
        if (content == null) {
            forget();
        } else if (!content.equals(processed) && rules.hasStarted()) {
            submit(content);
        }
    }

    private void forget() {
        if (processed != null) {
            LOG.info("{}: the watched file '{}' was removed. The live rules stay.", pipeline(), file.path());
            processed = null;
            rules.setWatchProblem(null);
        }
    }

    private void submit(Content content) {
        try {
            if (content.error().isEmpty()) {
                changes.changeToWatched(rules, content.text(), file.path().toString());
                rules.setWatchProblem(null);
            } else {
                refuse(content.error());
            }
            processed = content;
        } catch (RulesException e) {
            refuse("The rules in '" + file.path() + "' can't be used: " + e.getMessage());
            processed = content;
        } catch (RuleConflictException e) {
            // Somebody else was faster, perhaps with the same content. The next poll compares with the newest version.
            LOG.debug("{}: {}", pipeline(), e.getMessage());
        }
    }

    private void refuse(String problem) {
        rules.setWatchProblem(problem);
        LOG.warn("{}: the live rules stay. {}", pipeline(), problem);
    }
}
