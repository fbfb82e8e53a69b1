package io.millrace.extension;

import static io.millrace.schema.ProblemCode.INVALID_NUMBER;
import static io.millrace.schema.ProblemCode.INVALID_VALUE;
import static io.millrace.schema.ProblemCode.UNKNOWN_NAME;

import io.millrace.schema.NearestName;
import io.millrace.schema.ProblemCode;
import java.util.function.BiConsumer;
import org.apiguardian.api.API;

/** Collects errors in the properties of one feed, step or output. Not thread-safe. */
@API(status = API.Status.STABLE)
public class PropertyCheck {

    private final String path;
    private final ApplicationSettings settings;
    private final BiConsumer<String, String> problems;

    /**
     * @param path path of the properties, such as {@code feed.tcp}
     * @param problems receives each error: the path of the property, and the message
     */
    @API(status = API.Status.INTERNAL)
    public PropertyCheck(String path, BiConsumer<String, String> problems) {
        this(path, new NoSettings(), problems);
    }

    /**
     * @param path path of the properties, such as {@code feed.tcp}
     * @param settings settings of the application that the feed or output can use
     * @param problems receives each error: the path of the property, and the message
     */
    @API(status = API.Status.INTERNAL)
    public PropertyCheck(String path, ApplicationSettings settings, BiConsumer<String, String> problems) {
        this.path = path;
        this.settings = settings;
        this.problems = problems;
    }

    /** Returns the settings of the application. */
    public final ApplicationSettings settings() {
        return settings;
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

    /**
     * Requires that an SSL bundle is defined.
     *
     * @param property name of the property below the kind
     * @return whether it is
     */
    public final boolean sslBundle(String property, String name) {
        boolean defined = settings.sslBundles().contains(name);
        if (!defined) {
            problem(
                    UNKNOWN_NAME,
                    property,
                    "Unknown SSL bundle '" + name + "'" + NearestName.hint(name, settings.sslBundles())
                            + " Define it under 'spring.ssl.bundle'.");
        }
        return defined;
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
