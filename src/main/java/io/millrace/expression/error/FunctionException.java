package io.millrace.expression.error;

import org.apiguardian.api.API;

/** Thrown if a function can't be registered. The message names the function, the problem, and what to do. */
@API(status = API.Status.STABLE)
public final class FunctionException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** @param problem what is wrong, and what to do */
    public FunctionException(String function, String problem) {
        super("Function '" + function + "': " + problem);
    }
}
