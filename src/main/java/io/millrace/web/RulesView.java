package io.millrace.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.definition.PipelineExplanation;
import io.millrace.pipeline.rules.FollowedRules;
import io.millrace.pipeline.rules.RuleHistory;
import io.millrace.pipeline.rules.RuleResult;
import io.millrace.pipeline.version.CommittedVersion;
import io.millrace.store.write.RuleUse;
import io.millrace.store.write.RuleVersion;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a pipeline in JSON.
 *
 * @param pipeline name of the pipeline
 * @param newest number of the newest version
 * @param here what this process uses
 * @param configured the rules that this process was started with
 * @param shadow whether this process compares other rules with the live ones
 * @param processes the last use by each writer
 * @param versions all versions, newest first
 */
record RulesView(
        String pipeline,
        long newest,
        Here here,
        Configured configured,
        boolean shadow,
        List<RuleUse> processes,
        List<VersionView> versions) {

    /**
     * What this process uses.
     *
     * @param version number of its version; 0 before the pipeline has started
     * @param since position from which it processes records by this version
     * @param state state of the pipeline
     * @param problem why it does not use the newest version; null if it does, or will soon
     */
    record Here(
            long version,
            long since,
            String state,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String problem) {}

    /**
     * The rules of the configuration.
     *
     * @param version number of the newest version with these rules; 0 if there is none
     * @param live whether the newest version is equal
     */
    record Configured(String fingerprint, long version, boolean live) {}

    /**
     * A version without its text.
     *
     * @param uses from which positions on it was used
     */
    record VersionView(
            long number,
            Instant time,
            String author,
            String origin,
            String comment,
            String fingerprint,
            List<RuleUse> uses) {

        static VersionView of(RuleVersion version, List<RuleUse> uses) {
            return new VersionView(
                    version.number(),
                    version.time(),
                    version.author(),
                    version.origin(),
                    version.comment(),
                    version.fingerprint(),
                    uses.stream()
                            .filter(use -> use.version() == version.number())
                            .toList());
        }
    }

    /**
     * A version with its text.
     *
     * @param text the steps, in YAML
     */
    record TextView(@JsonUnwrapped VersionView version, String text) {}

    /**
     * The result of a change.
     *
     * @param state checked, unchanged, running or pending
     * @param since position from which this process uses the version; null unless it is running
     * @param detail why the version is not used yet; null if it is
     * @param warnings tests that fail with the rules of a rollback
     * @param processes the last use by each writer
     * @param explanation explanation of the compiled rules after a dry run; null otherwise
     */
    record ResultView(
            VersionView version,
            String state,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Long since,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String detail,

            List<String> warnings,
            List<RuleUse> processes,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            PipelineExplanation explanation) {

        static ResultView of(RuleResult result, RuleHistory history) {
            return new ResultView(
                    VersionView.of(result.version(), history.uses()),
                    result.state().tag(),
                    result.since() < 0 ? null : result.since(),
                    result.detail().isEmpty() ? null : result.detail(),
                    result.warnings(),
                    history.running(),
                    result.explanation());
        }
    }

    static RulesView of(FollowedRules rules, boolean shadow) {
        RuleHistory history = rules.history();
        Pipeline pipeline = rules.pipeline();
        CommittedVersion committed = pipeline.rules().committed();
        List<RuleVersion> all = history.all();
        List<RuleUse> uses = history.uses();
        String configured = history.configured().fingerprint();
        long sameAsConfigured = all.stream()
                .filter(version -> version.fingerprint().equals(configured))
                .mapToLong(RuleVersion::number)
                .max()
                .orElse(0);
        long newest = all.isEmpty() ? 0 : all.getLast().number();
        return new RulesView(
                pipeline.name(),
                newest,
                new Here(
                        committed.version(), committed.since(), pipeline.state().tag(), rules.problem()),
                new Configured(configured, sameAsConfigured, newest > 0 && sameAsConfigured == newest),
                shadow,
                history.running(),
                all.reversed().stream()
                        .map(version -> VersionView.of(version, uses))
                        .toList());
    }
}
