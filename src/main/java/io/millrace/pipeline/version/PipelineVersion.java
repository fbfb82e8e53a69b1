package io.millrace.pipeline.version;

import io.millrace.codec.RecordBatch;
import io.millrace.pipeline.chain.StepChain;
import io.millrace.pipeline.commit.OutputVersion;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.EntryStep;
import io.millrace.store.write.RegionWriter;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The part of a pipeline that belongs to a version of its rules. All else lives as long as the pipeline: feed, thread,
 * first endpoint, rejects, measures, writers and their counts.
 *
 * @param number number of the version; 0 if it is not known yet
 * @param plan the plan that it was created from
 * @param batch the batch that the feed fills
 * @param reading reads the records of the feed
 * @param chain the steps of the plan, connected
 * @param writers writers of the targets to which the steps can send records, by target
 * @param switches switch the writers to the batches of this version
 * @param tables tables that the steps use, each with the names of the fields that they read
 */
public record PipelineVersion(
        long number,
        PipelinePlan plan,
        RecordBatch batch,
        EntryStep.Reading reading,
        StepChain chain,
        Map<String, RegionWriter> writers,
        List<Runnable> switches,
        Map<String, Set<String>> tables) {

    /** Returns the steps of the plan, in order. */
    public List<BatchStep> steps() {
        return chain.steps();
    }

    /** Returns the same version under a number. */
    PipelineVersion numbered(long known) {
        return new PipelineVersion(known, plan, batch, reading, chain, writers, switches, tables);
    }

    /**
     * Returns the version as the output of the pipeline stores it.
     *
     * @param earlier fingerprints of the same rules with earlier versions of the schema
     * @param rows the rows of the tables that the steps use
     */
    OutputVersion output(Set<String> earlier, Map<String, OutputVersion.Rows> rows) {
        return new OutputVersion(number, plan.rules(), earlier, writers, rows);
    }
}
