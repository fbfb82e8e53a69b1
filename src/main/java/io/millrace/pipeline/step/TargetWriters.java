package io.millrace.pipeline.step;

import io.millrace.codec.RejectSink;
import io.millrace.schema.Schema;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.WriterName;

/** Creates writers to regions and outputs. Thread-safe. */
@FunctionalInterface
public interface TargetWriters {

    /**
     * Returns a writer, to be {@linkplain RegionWriter#open opened}; there may be one of a name and a target at a time.
     *
     * @param target a region or an output
     * @param records schema of the batches that it receives
     * @param rejects receives records that the target can't hold
     */
    RegionWriter writer(Target target, WriterName name, Schema records, RejectSink rejects);
}
