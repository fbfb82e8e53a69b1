package io.millrace.pipeline.step;

import io.millrace.codec.RejectReason;

/**
 * A record that could not be processed, as messages on a pipeline's {@code .rejected} channel carry it.
 *
 * @param position of it in the feed, or {@link io.millrace.codec.RecordBatch#NO_POSITION}
 * @param bytes of the record, or what there was of it
 * @param reason what is wrong
 */
public record RejectedRecord(long position, byte[] bytes, RejectReason reason) {}
