package io.millrace.web;

import java.time.Duration;

/**
 * How much a query may ask for over HTTP.
 *
 * @param maxRecords the most records of an answer in JSON, or in an order
 * @param timeout how long an answer is looked for where the query does not say
 * @param maxTimeout the longest that a query may say
 * @param maxConcurrent how many queries this process answers at a time
 * @param maxWaiting how many more wait; further ones are refused
 * @param unreadTimeout how long a client may read nothing of its answer
 */
public record QueryLimits(
        int maxRecords,
        Duration timeout,
        Duration maxTimeout,
        int maxConcurrent,
        int maxWaiting,
        Duration unreadTimeout) {}
