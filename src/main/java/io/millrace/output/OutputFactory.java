package io.millrace.output;

import io.millrace.extension.Extension;
import io.millrace.extension.PropertyCheck;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A kind of output, such as {@code file}. Reads the properties of outputs of this kind.
 *
 * <p>An application adds a kind with a bean of this type. A kind that is registered as a service instead, in
 * {@code META-INF/services/io.millrace.output.OutputFactory}, is also known to commands such as {@code check}, which
 * start no application; the built-in kinds are. Such a class is public and has a public constructor without parameters.
 *
 * <p>Stateless: one factory reads the properties of all outputs of its kind.
 *
 * @param <P> type of the properties
 */
@API(status = API.Status.STABLE)
public interface OutputFactory<P> extends Extension<P> {

    /**
     * Checks the properties of an output. May read files; opens nothing.
     *
     * @param check receives everything that is wrong
     * @return the output, with substitutes for invalid values so that it can be checked further; null if that is
     *     impossible, after an error was reported
     */
    @Nullable
    OutputDefinition define(P properties, PropertyCheck check);
}
