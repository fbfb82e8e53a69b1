package io.millrace.pipeline.rules;

import io.millrace.background.BackgroundTask;
import io.millrace.background.BackgroundTasks;
import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.rules.RuleResult.State;
import io.millrace.pipeline.rules.RulesException.Reason;
import io.millrace.store.write.RuleVersion;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the rules of running pipelines: the only path for all sources of changes. A change is checked first, then
 * added to the history, then applied. A thread applies the versions that other processes have added. Thread-safe.
 */
public final class RuleChanges implements BackgroundTasks, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RuleChanges.class);
    private static final Duration FOLLOW_EVERY = Duration.ofMillis(500);

    private final Map<String, FollowedRules> followed = new LinkedHashMap<>();
    private final RulesCompiler compiler;
    private final Duration timeout;
    private final BackgroundTask task = new BackgroundTask("rules");
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("rules").daemon().factory());

    /** @param timeout how long a change waits until its version is used */
    public RuleChanges(Pipelines pipelines, RuleHistories histories, RulesCompiler compiler, Duration timeout) {
        this.compiler = compiler;
        this.timeout = timeout;
        for (RuleHistory history : histories.all()) {
            pipelines
                    .named(history.pipeline())
                    .ifPresent(pipeline -> followed.put(pipeline.name(), new FollowedRules(pipeline, history)));
        }
    }

    /** Starts to apply the versions that other processes add. */
    public void start() {
        long nanos = FOLLOW_EVERY.toNanos();
        var _ = thread.scheduleWithFixedDelay(
                () -> task.run(() -> followed.values().forEach(FollowedRules::follow)),
                nanos,
                nanos,
                TimeUnit.NANOSECONDS);
    }

    /** Returns the rules of all pipelines of this process, in the order of the configuration. */
    Collection<FollowedRules> all() {
        return followed.values();
    }

    /** Returns the rules of a pipeline of this process. */
    public Optional<FollowedRules> of(String pipeline) {
        return Optional.ofNullable(followed.get(pipeline));
    }

    /**
     * Changes the rules of a pipeline.
     *
     * @param text YAML or JSON with {@code steps}
     * @throws RulesException if they can't be used
     * @throws RuleConflictException if they were changed by somebody else meanwhile
     * @throws NoSuchElementException if this process does not run the pipeline
     * @throws io.millrace.store.error.StoreException if the store does not answer
     */
    public RuleResult change(String pipeline, String text, RuleChange change) {
        return audited(pipeline, change, "", () -> {
            RulesText rules = compiler.read(pipeline, text);
            String comment = change.comment().isEmpty() ? rules.comment() : change.comment();
            return change(named(pipeline), rules, comment, change);
        });
    }

    /**
     * Changes the rules to the content of a watched file, unless that is known.
     *
     * @param file path of the file, for the log
     * @throws RulesException if they can't be used
     * @throws RuleConflictException if they were changed by somebody else meanwhile: call again
     */
    void changeToWatched(FollowedRules followedRules, String text, String file) {
        RuleHistory history = followedRules.history();
        RuleVersion newest = newest(history);
        // A known content must not replace what somebody else has added since, so the change expects the newest one.
        RuleChange change = new RuleChange(history.user(), file, RuleHistory.WATCH, "", newest.number(), false, false);
        var _ = audited(history.pipeline(), change, "", () -> {
            RulesText rules = compiler.read(history.pipeline(), text);
            if (history.isWatched(rules.fingerprint())) {
                return new RuleResult(newest, State.CHECKED, -1, "");
            }
            RuleResult result = change(followedRules, rules, rules.comment(), change);
            history.setWatched(result.version().number(), rules.fingerprint());
            return result;
        });
    }

    /**
     * Adds a version with the content of an earlier one. Tests that fail with its rules are warnings: they were in use,
     * and going back must be possible when the newest ones do harm.
     *
     * @param number number of the earlier version
     * @throws NoSuchElementException if there is no such version, or this process does not run the pipeline
     */
    public RuleResult rollback(String pipeline, long number, RuleChange change) {
        return audited(pipeline, change, " to=" + number, () -> {
            FollowedRules rules = named(pipeline);
            RuleVersion earlier = rules.history().get(number);
            if (earlier == null) {
                throw new NoSuchElementException("Unknown version " + number + " of the rules of pipeline '" + pipeline
                        + "'. Use the number of a version in its history.");
            }
            RulesText text = new RulesText(earlier.text(), earlier.fingerprint(), "");
            String comment = change.comment().isEmpty() ? "Rollback to version " + number : change.comment();
            return change(rules, text, comment, change, TestPolicy.WARN);
        });
    }

    private FollowedRules named(String pipeline) {
        return of(pipeline).orElseThrow(() -> new NoSuchElementException("Unknown pipeline '" + pipeline + "'."));
    }

    private RuleResult change(FollowedRules followedRules, RulesText text, String comment, RuleChange change) {
        return change(
                followedRules, text, comment, change, change.withoutTests() ? TestPolicy.SKIP : TestPolicy.REQUIRE);
    }

    private RuleResult change(
            FollowedRules followedRules, RulesText text, String comment, RuleChange change, TestPolicy tests) {
        RuleHistory history = followedRules.history();
        RuleVersion newest = newest(history);
        if (change.expected() != null && change.expected() != newest.number()) {
            throw new RuleConflictException(history.pipeline(), newest.number());
        }
        boolean unchanged = text.fingerprint().equals(newest.fingerprint());
        if (unchanged && !change.dryRun()) {
            return new RuleResult(newest, State.UNCHANGED, -1, "");
        }
        PipelinePlan plan = compiler.compile(history.pipeline(), text.text());
        List<String> warnings = unchanged ? List.of() : failures(plan, tests);
        if (change.dryRun()) {
            return new RuleResult(
                    newest,
                    unchanged ? State.UNCHANGED : State.CHECKED,
                    -1,
                    "",
                    warnings,
                    plan.explanation().shown());
        }
        RuleVersion added = history.add(newest.number(), change.author(), change.origin(), comment, text);
        if (added == null) {
            throw new RuleConflictException(history.pipeline(), newest.number() + 1);
        }
        return followedRules.apply(added, plan, timeout).with(warnings);
    }

    /** Returns the tests that fail, if they are warnings. */
    private List<String> failures(PipelinePlan plan, TestPolicy tests) {
        if (tests == TestPolicy.SKIP) {
            return List.of();
        }
        try {
            compiler.requireTests(plan);
            return List.of();
        } catch (RulesException e) {
            if (tests == TestPolicy.REQUIRE || e.reason() != Reason.TESTS_FAILED) {
                throw e;
            }
            return e.mistakes().stream()
                    .map(mistake -> "Test '" + mistake.property() + "' fails with these rules: " + mistake.message())
                    .toList();
        }
    }

    /** What is done about tests of the configuration. */
    private enum TestPolicy {
        /** They must pass. */
        REQUIRE,
        /** Those that fail are returned. */
        WARN,
        /** They don't run. */
        SKIP
    }

    private static RuleVersion newest(RuleHistory history) {
        RuleVersion newest = history.latest();
        if (newest == null) {
            throw new IllegalStateException(
                    "Pipeline '" + history.pipeline() + "' has not started yet. Repeat the request when it runs.");
        }
        return newest;
    }

    /** An action whose result is recorded. */
    private interface Action {
        RuleResult run();
    }

    private RuleResult audited(String pipeline, RuleChange change, String what, Action action) {
        if (change.dryRun()) {
            return action.run(); // The page checks rules whenever typing pauses.
        }
        String entry = "rules " + (what.isEmpty() ? "change" : "rollback") + what + " user=" + change.author()
                + " from=" + change.address() + " origin=" + change.origin();
        try {
            RuleResult result = action.run();
            if (result.state() != State.CHECKED) {
                record(
                        pipeline,
                        entry + " result=" + result.state().tag() + " version="
                                + result.version().number());
            }
            return result;
        } catch (RulesException e) {
            record(pipeline, entry + " result=refused reason=" + e.reason());
            throw e;
        } catch (RuleConflictException e) {
            record(pipeline, entry + " result=refused reason=CONFLICT");
            throw e;
        }
    }

    private void record(String pipeline, String entry) {
        LOG.info("{}: {}", pipeline, entry);
        try {
            of(pipeline).ifPresent(rules -> rules.history().audit(entry + " pipeline=" + pipeline));
        } catch (RuntimeException e) {
            LOG.warn(
                    "{}: the change of rules could not be added to the stored audit log: {}", pipeline, e.getMessage());
        }
    }

    @Override
    public List<BackgroundTask> backgroundTasks() {
        return List.of(task);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
