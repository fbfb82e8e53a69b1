package io.millrace.output;

import io.millrace.codec.RejectSink;
import io.millrace.schema.Schema;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What a partition of a pipeline provides to the writer of an output. One writer at a time is open for a pipeline, an
 * instance and a partition, in whatever process.
 *
 * @param output name of the output
 * @param pipeline name of the pipeline
 * @param instance name of the process if each has records of its own, as with a feed without positions; otherwise null
 * @param partition number of the partition, from 0
 * @param schema schema of the records, with all fields that steps add
 * @param rejects receives records that the output can't hold, while they are appended
 */
@API(status = API.Status.STABLE)
public record OutputContext(
        String output, String pipeline, @Nullable String instance, int partition, Schema schema, RejectSink rejects) {}
