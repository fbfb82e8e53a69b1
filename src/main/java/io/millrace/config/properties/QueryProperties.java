package io.millrace.config.properties;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits of queries of regions.
 *
 * @param maxRecords maximum number of records of a result in JSON, or of a sorted result
 * @param timeout timeout of a query that names none; at most max-timeout
 * @param maxTimeout maximum timeout that a query may name
 * @param maxConcurrent maximum number of queries that this process executes at the same time
 * @param maxWaiting maximum number of queries that wait to be executed; further ones are refused
 */
public record QueryProperties(
        @DefaultValue("10000") int maxRecords,
        @DefaultValue("60s") Duration timeout,
        @DefaultValue("10m") Duration maxTimeout,
        @DefaultValue("8") int maxConcurrent,
        @DefaultValue("64") int maxWaiting) {}
