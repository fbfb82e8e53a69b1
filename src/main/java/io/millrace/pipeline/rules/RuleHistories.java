package io.millrace.pipeline.rules;

import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.store.Store;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The histories of the rules of all pipelines of this process. Thread-safe. */
public final class RuleHistories {

    private final Store store;
    private final RulesCompiler compiler;
    private final RuleHistory.Identity identity;
    private final InstantSource clock;
    private final List<RuleHistory> histories = new CopyOnWriteArrayList<>();

    public RuleHistories(Store store, RulesCompiler compiler, RuleHistory.Identity identity, InstantSource clock) {
        this.store = store;
        this.compiler = compiler;
        this.identity = identity;
        this.clock = clock;
    }

    /**
     * Adds the history of a pipeline. Its regions must be open.
     *
     * @param plan the configured rules
     */
    public RuleHistory add(PipelinePlan plan) {
        RuleHistory history = new RuleHistory(plan, store, compiler, identity, clock);
        histories.add(history);
        return history;
    }

    /** Returns all histories, in the order of the configuration. */
    List<RuleHistory> all() {
        return new ArrayList<>(histories);
    }
}
