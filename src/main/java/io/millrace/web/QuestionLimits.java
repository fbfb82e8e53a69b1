package io.millrace.web;

import java.time.Duration;

/**
 * How much a question may ask for over HTTP.
 *
 * @param maxRecords the most records of an answer in JSON, or in an order
 * @param timeout how long an answer is looked for where the question does not say
 * @param maxTimeout the longest that a question may say
 */
public record QuestionLimits(int maxRecords, Duration timeout, Duration maxTimeout) {}
