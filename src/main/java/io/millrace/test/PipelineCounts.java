package io.millrace.test;

import org.apiguardian.api.API;

/**
 * The numbers of records of a pipeline since its start.
 *
 * @param in records received
 * @param kept records stored in a region or sent to a channel of the application
 * @param dropped records that a filter or a route dropped
 * @param rejected records that could not be processed
 */
@API(status = API.Status.STABLE)
public record PipelineCounts(long in, long kept, long dropped, long rejected) {}
