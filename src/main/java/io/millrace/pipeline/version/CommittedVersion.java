package io.millrace.pipeline.version;

/**
 * The version by which the pipeline processes records, once that is stored.
 *
 * @param version number of the version; 0 before it is known
 * @param since position from which it processes records; 0 for a feed without positions
 */
public record CommittedVersion(long version, long since) {}
