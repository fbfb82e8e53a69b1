package io.millrace.pipeline.step;

import io.millrace.codec.Counter;
import org.apiguardian.api.API;

/**
 * A counter of a step that other kinds do not have. It is exported with the tags {@code pipeline} and {@code step}.
 *
 * @param name name in dot notation, such as {@code acme.mask.masked}
 * @param description what it counts
 * @param counter the counter, which only the step's thread writes
 */
@API(status = API.Status.STABLE)
public record StepMeter(String name, String description, Counter counter) {}
