package io.millrace.store;

import io.millrace.codec.RejectReason;

/**
 * A record that could not be processed, as a dead-letter region keeps it.
 *
 * @param key pipeline, partition and position: {@code trades/0/39000}; without a position a running number,
 *     {@code trades/0/#17}
 * @param position of it in the feed, or {@code NO_POSITION}
 * @param reason why
 * @param bytes as the feed brought them; belongs to the holder of this object
 */
public record Reject(String key, long position, RejectReason reason, byte[] bytes) {}
