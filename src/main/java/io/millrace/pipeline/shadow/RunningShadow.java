package io.millrace.pipeline.shadow;

import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.rules.FollowedRules;
import io.millrace.pipeline.rules.RulesText;
import io.millrace.pipeline.step.Failures;
import io.millrace.pipeline.version.LiveRules;
import io.millrace.store.write.RuleVersion;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A candidate for the rules of a pipeline, with what it has done so far. It is compared with the live version. When
 * that changes, the counts begin again. Thread-safe.
 */
public final class RunningShadow implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RunningShadow.class);

    private final FollowedRules rules;
    private final RulesText text;
    private final PipelinePlan plan;
    private final Surroundings surroundings;
    private final String author;
    private final Instant time;
    private final Runnable listening;
    private final Runnable listeningToEnd;
    /** Guarded by this, as all that follows. */
    private Shadow shadow;

    private long version;
    private long since;
    private boolean ended;
    private @Nullable String problem;

    /**
     * Starts to compare.
     *
     * @throws ShadowException if that is not possible
     */
    RunningShadow(
            FollowedRules rules,
            RulesText text,
            PipelinePlan plan,
            Surroundings surroundings,
            String author,
            Instant time) {
        this.rules = rules;
        this.text = text;
        this.plan = plan;
        this.surroundings = surroundings;
        this.author = author;
        this.time = time;
        synchronized (this) {
            // The listener comes first, and waits, so that no version is missed that becomes live meanwhile.
            this.listening = rules.pipeline().rules().listen(this::follow);
            this.listeningToEnd = rules.pipeline().rules().listenToEnd(this::end);
            try {
                ComparableRules.require(rules.pipeline(), plan);
                this.shadow = shadow();
            } catch (RuntimeException e) {
                listening.run();
                listeningToEnd.run();
                ended = true;
                throw e;
            }
        }
    }

    private Shadow shadow() {
        Pipeline pipeline = rules.pipeline();
        LiveRules.Version live = pipeline.rules()
                .live()
                .orElseThrow(() -> new ShadowException(
                        "The rules of pipeline '" + pipeline.name() + "' change at this moment. Repeat the request."));
        version = live.number();
        since = pipeline.position();
        return new Shadow(pipeline, live, plan, surroundings);
    }

    /**
     * Compares with the version that has become the live one. Called on the lane of the partition that uses it. A
     * partition that still has, or brings, an earlier version is not compared until it has this one.
     */
    private synchronized void follow() {
        Optional<LiveRules.Version> live = rules.pipeline().rules().live();
        if (ended
                || shadow.failure() != null
                || live.isEmpty()
                || live.orElseThrow().number() == version) {
            return;
        }
        shadow.close();
        RuleVersion now = rules.history().current();
        if (now != null && now.fingerprint().equals(text.fingerprint())) {
            ended = true;
            problem = "Version " + now.number() + " has the same rules.";
            return;
        }
        try {
            shadow = shadow();
        } catch (RuntimeException e) {
            ended = true;
            problem = Failures.describe(e);
        }
    }

    private synchronized void end(String why) {
        if (!ended && shadow.failure() == null) {
            ended = true;
            problem = why;
            shadow.close();
            LOG.info("{}: the shadow has ended. {}", rules.pipeline().name(), why);
        }
    }

    /** Returns the rules that are compared. */
    public RulesText text() {
        return text;
    }

    /** Returns who has started it. */
    public String author() {
        return author;
    }

    /** Returns when it was started. */
    public Instant time() {
        return time;
    }

    /** Returns the number of the live version with which the rules are compared. */
    public synchronized long version() {
        return version;
    }

    /** Returns the position of the pipeline when the comparison with this version began. */
    public synchronized long since() {
        return since;
    }

    /** Returns why it has ended; null while it compares. */
    public synchronized @Nullable String ended() {
        return Objects.requireNonNullElse(problem, "").isEmpty() ? shadow.failure() : problem;
    }

    /** Returns what has been compared so far. */
    public synchronized ShadowReport report() {
        return shadow.report();
    }

    @Override
    public void close() {
        listening.run();
        listeningToEnd.run();
        synchronized (this) {
            ended = true;
            shadow.close();
        }
    }
}
