package io.millrace.web.answer;

import java.time.Duration;

/**
 * Limits of queries over HTTP.
 *
 * @param maxRecords maximum number of records of an answer in JSON, or of an ordered one
 * @param timeout time limit of a query that does not set one
 * @param maxTimeout maximum time limit that a query may set
 * @param maxConcurrent maximum number of queries that this process runs at a time
 * @param maxWaiting maximum number of queries that wait; further ones are refused
 * @param unreadTimeout how long a client may read nothing of its answer
 */
public record QueryLimits(
        int maxRecords,
        Duration timeout,
        Duration maxTimeout,
        int maxConcurrent,
        int maxWaiting,
        Duration unreadTimeout) {}
