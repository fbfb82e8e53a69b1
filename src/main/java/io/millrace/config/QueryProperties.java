package io.millrace.config;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How much a query to a region may ask for.
 *
 * @param maxRecords the most records of an answer in JSON, or in an order
 * @param timeout for how long an answer is looked for where the query does not say
 * @param maxTimeout the longest that a query may say
 * @param maxConcurrent how many queries this process answers at a time
 * @param maxWaiting how many more wait; further ones are refused
 */
public record QueryProperties(
        @DefaultValue("10000") int maxRecords,
        @DefaultValue("60s") Duration timeout,
        @DefaultValue("10m") Duration maxTimeout,
        @DefaultValue("8") int maxConcurrent,
        @DefaultValue("64") int maxWaiting) {}
