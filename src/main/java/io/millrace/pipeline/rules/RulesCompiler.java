package io.millrace.pipeline.rules;

import io.millrace.pipeline.definition.PipelinePlan;

/** Reads rules, and compiles them against the configuration of this process. Thread-safe. */
public interface RulesCompiler {

    /** Returns the rules of a pipeline that this process was started with. */
    RulesText configured(String pipeline);

    /**
     * Reads rules.
     *
     * @param text YAML or JSON with {@code steps}
     * @throws RulesException if it has another form
     */
    RulesText read(String pipeline, String text);

    /**
     * Compiles rules with which a running pipeline can continue: they store the same schemas in regions that exist, and
     * have the same measures.
     *
     * @param text what {@link #read} or {@link #configured} returned
     * @throws RulesException with everything that is wrong
     */
    PipelinePlan compile(String pipeline, String text);

    /**
     * Runs the configured tests of a pipeline's rules.
     *
     * @throws RulesException if one fails
     */
    void requireTests(PipelinePlan plan);
}
