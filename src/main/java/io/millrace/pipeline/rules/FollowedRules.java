package io.millrace.pipeline.rules;

import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineState;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.rules.RuleResult.State;
import io.millrace.pipeline.step.Failures;
import io.millrace.store.write.RuleVersion;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The rules of a pipeline of this process, which follow the history that all processes share. Thread-safe. */
public final class FollowedRules {

    private static final Logger LOG = LoggerFactory.getLogger(FollowedRules.class);
    private static final Duration NO_TIME = Duration.ZERO;

    private final Pipeline pipeline;
    private final RuleHistory history;
    /** The number of the last version that this process can't use. */
    private volatile long refused;

    private volatile @Nullable String problem;
    private volatile @Nullable String watchProblem;

    FollowedRules(Pipeline pipeline, RuleHistory history) {
        this.pipeline = pipeline;
        this.history = history;
    }

    /** Returns the pipeline. */
    public Pipeline pipeline() {
        return pipeline;
    }

    /** Returns the history of its rules. */
    public RuleHistory history() {
        return history;
    }

    /**
     * Returns why this process does not use the newest version, or the content of the watched file; null if nothing is
     * wrong.
     */
    public @Nullable String problem() {
        String ofVersion = problem;
        String ofFile = watchProblem;
        if (ofVersion == null || ofFile == null) {
            return ofVersion == null ? ofFile : ofVersion;
        }
        return ofVersion + "\n" + ofFile;
    }

    /** Sets why the content of the watched file is not used; null if it is. */
    void setWatchProblem(@Nullable String watchProblem) {
        this.watchProblem = watchProblem;
    }

    /** Returns whether rules can be changed: the pipeline has started, here or in another process. */
    boolean hasStarted() {
        return (pipeline.rules().version() > 0 || !runs()) && history.latest() != null;
    }

    /** Requests the newest version, if this process runs the pipeline with another one. */
    void follow() {
        long running = pipeline.rules().version();
        // Checked first: the next number is one read, the newest one is many.
        if (running == 0 || !runs() || history.get(running + 1) == null) {
            return;
        }
        RuleVersion newest = history.latest();
        if (newest == null || newest.number() == refused || pipeline.rules().isRequested(newest.number())) {
            return;
        }
        try {
            var _ = apply(newest, history.plan(newest), NO_TIME);
            problem = null;
        } catch (RulesException e) {
            refuse(newest, e);
        }
    }

    private boolean runs() {
        PipelineState state = pipeline.state();
        return state != PipelineState.STANDBY && state != PipelineState.FAILED;
    }

    private void refuse(RuleVersion version, RulesException e) {
        // Not tried again: the configuration of this process does not change.
        refused = version.number();
        problem = "Version " + version.number() + " can't be used with the configuration of this process: "
                + e.getMessage();
        LOG.error("{}: {}", pipeline.name(), problem);
    }

    /** Applies a version, and waits for a while until it is used. */
    RuleResult apply(RuleVersion version, PipelinePlan plan, Duration timeout) {
        if (!runs()) {
            String owner = pipeline.owner();
            return pending(
                    version,
                    owner == null
                            ? "The pipeline is " + pipeline.state().tag()
                                    + ": it uses this version after its next start."
                            : "The pipeline runs in " + owner + ", which uses this version within a second.");
        }
        try {
            long since = pipeline.rules().change(version.number(), plan).get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return new RuleResult(version, State.RUNNING, since, "");
        } catch (TimeoutException e) {
            return pending(
                    version,
                    "The pipeline has not reached a position at which its rules can change: it is "
                            + pipeline.state().tag() + ".");
        } catch (ExecutionException e) {
            return pending(version, Failures.describe(e.getCause() == null ? e : e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return pending(version, "The request was interrupted.");
        }
    }

    private static RuleResult pending(RuleVersion version, String why) {
        return new RuleResult(version, State.PENDING, -1, why);
    }
}
