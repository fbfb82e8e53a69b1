package io.millrace.feed;

import static io.millrace.schema.ProblemCode.INVALID_NUMBER;
import static io.millrace.schema.ProblemCode.INVALID_VALUE;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.SCHEMA_MISMATCH;
import static io.millrace.schema.ProblemCode.UNREADABLE_FILE;
import static io.millrace.schema.ProblemCode.WRONG_CONTENT;

import io.millrace.codec.ContentException;
import io.millrace.codec.FileErrors;
import io.millrace.schema.ProblemCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Collects errors in the properties of one feed. Not thread-safe. */
@API(status = API.Status.STABLE)
public final class FeedCheck {

    private final String kind;
    private final Set<String> sslBundles;
    private final BiConsumer<String, String> problems;

    /**
     * @param kind name of the feed's kind
     * @param sslBundles names of the SSL bundles that are defined
     * @param problems receives each error: the property, relative to the pipeline, and the message
     */
    public FeedCheck(String kind, Set<String> sslBundles, BiConsumer<String, String> problems) {
        this.kind = kind;
        this.sslBundles = Set.copyOf(sslBundles);
        this.problems = problems;
    }

    /**
     * Reports an invalid value.
     *
     * @param property name of the property below the kind; empty for the value of a kind without named properties
     * @param message what is wrong and what to do: {@code Invalid number '-1'. Use 0 or more.}
     */
    public void problem(String property, String message) {
        problem(INVALID_VALUE, property, message);
    }

    /**
     * Reports an error of a kind. The code is added to the message.
     *
     * @param property name of the property below the kind; empty for the value of a kind without named properties
     * @param message what is wrong and what to do
     */
    public void problem(ProblemCode code, String property, String message) {
        problems.accept("feed." + kind + (property.isEmpty() ? "" : "." + property), code.message(message));
    }

    /** Reports that the feed cannot deliver records of the pipeline's schema. */
    public void schemaProblem(String message) {
        problems.accept("schema", SCHEMA_MISMATCH.message(message));
    }

    /** Requires a number in a range. */
    public void between(String property, long value, long least, long most) {
        if (value < least || value > most) {
            problem(
                    INVALID_NUMBER,
                    property,
                    "Invalid number '" + value + "'. Use " + least
                            + (most == Long.MAX_VALUE ? " or more." : " to " + most + "."));
        }
    }

    /** Requires a file that can be read. */
    public void readable(String property, @Nullable Path file) {
        String refusal = file == null ? "Missing value: the path of a file." : FileErrors.refusal(file);
        if (refusal != null) {
            problem(file == null ? MISSING_VALUE : UNREADABLE_FILE, property, refusal);
        }
    }

    /** Requires that the content of a file passes a check. A file that cannot be read is not checked. */
    public void content(String property, Path file, ContentRule rule) {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            return;
        }
        try {
            rule.require();
        } catch (ContentException e) {
            problem(WRONG_CONTENT, property, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            problem(UNREADABLE_FILE, property, FileErrors.describe("", e));
        }
    }

    /** A check of the content of a file. */
    public interface ContentRule {
        /**
         * Reads as much of the file as the check needs.
         *
         * @throws ContentException if the file has another content
         */
        void require() throws IOException;
    }

    /** Returns the names of the SSL bundles that are defined. */
    public Set<String> sslBundles() {
        return sslBundles;
    }
}
