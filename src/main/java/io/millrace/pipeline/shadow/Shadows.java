package io.millrace.pipeline.shadow;

import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.rules.FollowedRules;
import io.millrace.pipeline.rules.RulesCompiler;
import io.millrace.pipeline.rules.RulesText;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The shadows of this process, at most one for each pipeline. Thread-safe. */
public final class Shadows implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Shadows.class);

    private final RulesCompiler compiler;
    private final Surroundings surroundings;
    private final InstantSource clock;
    private final Map<String, RunningShadow> running = new HashMap<>();

    public Shadows(RulesCompiler compiler, Surroundings surroundings, InstantSource clock) {
        this.compiler = compiler;
        this.surroundings = surroundings;
        this.clock = clock;
    }

    /**
     * Starts to compare rules with those of a pipeline. A shadow of the pipeline that runs already ends.
     *
     * @param text YAML or JSON with {@code steps}
     * @throws io.millrace.pipeline.rules.RulesException if the rules could not replace the live ones
     * @throws ShadowException if they can't be compared
     */
    public RunningShadow start(FollowedRules rules, String text, String author) {
        Pipeline pipeline = rules.pipeline();
        RulesText read = compiler.read(pipeline.name(), text);
        PipelinePlan plan = compiler.compile(pipeline.name(), read.text());
        ComparableRules.require(pipeline, plan);
        synchronized (this) {
            stop(pipeline.name());
            RunningShadow shadow = new RunningShadow(rules, read, plan, surroundings, author, clock.instant());
            running.put(pipeline.name(), shadow);
            LOG.info(
                    "{}: rules are compared with version {}: fingerprint={} user={}",
                    pipeline.name(),
                    shadow.version(),
                    read.fingerprint(),
                    author);
            return shadow;
        }
    }

    /**
     * Prepares a backtest of rules against those of a pipeline, on records of a region.
     *
     * @param text YAML or JSON with {@code steps}
     * @param by fields of the records by which differences are counted
     * @throws io.millrace.pipeline.rules.RulesException if the rules could not replace the live ones
     * @throws ShadowException if they can't be compared
     * @throws IllegalArgumentException if there is no field of such a name
     */
    public Backtest backtest(FollowedRules rules, String text, List<String> by) {
        Pipeline pipeline = rules.pipeline();
        RulesText read = compiler.read(pipeline.name(), text);
        PipelinePlan plan = compiler.compile(pipeline.name(), read.text());
        return new Backtest(pipeline.plan(), plan, surroundings.regions(), by, Backtest.Order.ANY);
    }

    /** Returns the shadow of a pipeline. */
    public synchronized Optional<RunningShadow> of(String pipeline) {
        return Optional.ofNullable(running.get(pipeline));
    }

    /** Ends the shadow of a pipeline, and returns whether there was one. */
    public synchronized boolean stop(String pipeline) {
        RunningShadow former = running.remove(pipeline);
        if (former != null) {
            former.close();
        }
        return former != null;
    }

    /** Ends a shadow, and leaves another one alone that has replaced it. */
    public synchronized void end(RunningShadow shadow) {
        running.values().remove(shadow);
        shadow.close();
    }

    @Override
    public synchronized void close() {
        running.values().forEach(RunningShadow::close);
        running.clear();
    }
}
