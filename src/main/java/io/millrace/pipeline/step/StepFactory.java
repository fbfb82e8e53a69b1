package io.millrace.pipeline.step;

import io.millrace.extension.Extension;
import org.apiguardian.api.API;

/**
 * A kind of step, such as {@code filter}. Reads the properties of steps of this kind.
 *
 * <p>An application adds a kind with a bean of this type. A kind that is registered as a service instead, in
 * {@code META-INF/services/io.millrace.pipeline.step.StepFactory}, is also known to commands such as {@code check} and
 * to the servers of a cluster, which start no application; the built-in kinds are. Such a class is public and has a
 * public constructor without parameters.
 *
 * <p>Stateless: one factory reads the properties of all steps of its kind.
 *
 * @param <P> type of the properties
 */
@API(status = API.Status.STABLE)
public interface StepFactory<P> extends Extension<P> {

    /** Returns a step with these properties. {@link StepDefinition#validate} checks them later. */
    StepDefinition define(P properties);
}
