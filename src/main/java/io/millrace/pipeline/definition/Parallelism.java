package io.millrace.pipeline.definition;

/**
 * How a pipeline uses several processors.
 *
 * @param partitions number of partitions, each of which keeps the order of its records; fixed once the pipeline has
 *     stored anything
 * @param lanes number of threads, at most that of partitions
 */
public record Parallelism(int partitions, int lanes) {

    /** One partition, in which all records keep their order. */
    public static final Parallelism NONE = new Parallelism(1, 1);
}
