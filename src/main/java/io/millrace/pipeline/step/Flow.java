package io.millrace.pipeline.step;

/**
 * The records that an expression received and passed since its step was created.
 *
 * @param in records for which the expression was evaluated
 * @param out records for which it holds or has a value
 */
public record Flow(long in, long out) {}
