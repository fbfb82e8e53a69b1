package io.millrace.pipeline.step;

import org.apiguardian.api.API;

/**
 * The records that an expression received and passed since its step was created.
 *
 * @param in records for which the expression was evaluated
 * @param out records for which it holds or has a value
 */
@API(status = API.Status.STABLE)
public record Flow(long in, long out) {}
