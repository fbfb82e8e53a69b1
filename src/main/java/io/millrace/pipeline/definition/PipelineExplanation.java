package io.millrace.pipeline.definition;

import java.util.List;

/**
 * What the expressions of a pipeline became.
 *
 * @param name of the pipeline
 * @param schema name of its records' schema
 * @param recordBytes length of a record as its feed has it
 * @param addedBytes length of what its steps add to a record
 * @param steps in order
 */
public record PipelineExplanation(
        String name, String schema, int recordBytes, int addedBytes, List<StepExplanation> steps) {}
