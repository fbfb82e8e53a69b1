package io.millrace.expression.function;

import java.util.List;
import org.apiguardian.api.API;

/**
 * Provides functions of a library on the class path, such as an extension of the service.
 *
 * <p>A provider is registered as a service, in
 * {@code META-INF/services/io.millrace.expression.function.FunctionProvider}. Its functions are known to applications,
 * to servers, and to commands such as {@code check}, which start no application. The class is public and has a public
 * constructor without parameters. An application that needs its functions for itself only defines each as a bean of
 * type {@link ExpressionFunction} instead.
 */
@API(status = API.Status.STABLE)
public interface FunctionProvider {

    /** Returns the functions. May be called several times. */
    List<ExpressionFunction> functions();
}
