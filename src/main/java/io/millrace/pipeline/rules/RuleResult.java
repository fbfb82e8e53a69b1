package io.millrace.pipeline.rules;

import io.millrace.pipeline.definition.PipelineExplanation;
import io.millrace.store.write.RuleVersion;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The result of a change of rules.
 *
 * @param version the added version; if none was added, the newest one
 * @param since feed position from which this process uses it; -1 unless the state is {@link State#RUNNING}
 * @param detail why it is not used yet; empty if it is
 * @param warnings tests that fail with rules that are used nevertheless; empty if there are none
 * @param explanation explanation of the compiled rules after a dry run; null otherwise
 */
public record RuleResult(
        RuleVersion version,
        State state,
        long since,
        String detail,
        List<String> warnings,
        @Nullable PipelineExplanation explanation) {

    RuleResult(RuleVersion version, State state, long since, String detail) {
        this(version, state, since, detail, List.of(), null);
    }

    RuleResult with(List<String> newWarnings) {
        return new RuleResult(version, state, since, detail, newWarnings, explanation);
    }

    /** What has become of the rules. */
    public enum State {
        /** They are valid. Nothing has changed. */
        CHECKED,
        /** They are equal to those of the newest version. Nothing has changed. */
        UNCHANGED,
        /** They are added, and this process uses them. */
        RUNNING,
        /** They are added, and not used yet. */
        PENDING;

        /** Returns the name in answers. */
        public String tag() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
