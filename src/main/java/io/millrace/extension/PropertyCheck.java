package io.millrace.extension;

import static io.millrace.schema.ProblemCode.INVALID_NUMBER;
import static io.millrace.schema.ProblemCode.INVALID_VALUE;

import io.millrace.schema.ProblemCode;
import java.util.function.BiConsumer;
import org.apiguardian.api.API;

/** Collects errors in the properties of one feed, step or output. Not thread-safe. */
@API(status = API.Status.STABLE)
public class PropertyCheck {

    private final String path;
    private final BiConsumer<String, String> problems;

    /**
     * @param path path of the properties, such as {@code feed.tcp}
     * @param problems receives each error: the path of the property, and the message
     */
    @API(status = API.Status.INTERNAL)
    public PropertyCheck(String path, BiConsumer<String, String> problems) {
        this.path = path;
        this.problems = problems;
    }

    /**
     * Reports an invalid value.
     *
     * @param property name of the property below the kind; empty for the value of a kind without named properties
     * @param message what is wrong and what to do: {@code Invalid number '-1'. Use 0 or more.}
     */
    public final void problem(String property, String message) {
        problem(INVALID_VALUE, property, message);
    }

    /**
     * Reports an error of a kind. The code is added to the message.
     *
     * @param property name of the property below the kind; empty for the value of a kind without named properties
     * @param message what is wrong and what to do
     */
    public final void problem(ProblemCode code, String property, String message) {
        report(property, code.message(message));
    }

    /** Reports an error whose message contains its code. */
    @API(status = API.Status.INTERNAL)
    public final void report(String property, String message) {
        boolean indexed = property.isEmpty() || property.startsWith("[");
        problems.accept(path + (indexed ? "" : ".") + property, message);
    }

    /** Requires a number in a range. */
    public final void between(String property, long value, long least, long most) {
        if (value < least || value > most) {
            problem(
                    INVALID_NUMBER,
                    property,
                    "Invalid number '" + value + "'. Use " + least
                            + (most == Long.MAX_VALUE ? " or more." : " to " + most + "."));
        }
    }
}
