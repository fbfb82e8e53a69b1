package io.millrace.pipeline.step;

/**
 * Records that came to an expression, and records that it let through, since its step was made.
 *
 * @param in records that it was asked for
 * @param out records that it holds for, or has a value for
 */
public record Flow(long in, long out) {}
