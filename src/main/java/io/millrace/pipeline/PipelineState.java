package io.millrace.pipeline;

import java.util.List;
import java.util.Locale;
import org.apiguardian.api.API;

/** The state of a pipeline. */
@API(status = API.Status.STABLE)
public enum PipelineState {
    /** Processing records. */
    RUNNING,
    /** Waiting for records, or for the store to accept them. */
    WAITING,
    /** On standby: another process runs the pipeline, and this one takes over when that process is gone. */
    STANDBY,
    /**
     * Rejecting nearly all records: those that the feed delivers, or, if the feed has ended, those that it delivered.
     */
    DEGRADED,
    /** The feed has ended and everything is stored. Windows may still be open if the source of the feed may grow. */
    DONE,
    /** Stopped by an error. */
    FAILED;

    /**
     * Returns the state of a pipeline whose partitions have these: failed or degraded if one of them is, running if one
     * is, done if all are, and on standby if no partition is processed by this process.
     */
    static PipelineState of(List<PipelineState> partitions) {
        for (PipelineState one : List.of(FAILED, DEGRADED, RUNNING, WAITING)) {
            if (partitions.contains(one)) {
                return one;
            }
        }
        return partitions.contains(DONE) ? DONE : STANDBY;
    }

    /** Returns the name in lower case, as used in JSON and metrics. */
    public String tag() {
        return name().toLowerCase(Locale.ROOT);
    }
}
