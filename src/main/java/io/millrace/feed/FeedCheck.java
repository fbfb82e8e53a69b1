package io.millrace.feed;

import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.SCHEMA_MISMATCH;
import static io.millrace.schema.ProblemCode.UNREADABLE_FILE;
import static io.millrace.schema.ProblemCode.WRONG_CONTENT;

import io.millrace.codec.ContentException;
import io.millrace.codec.file.FileErrors;
import io.millrace.extension.ApplicationSettings;
import io.millrace.extension.PropertyCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Collects errors in the properties of one feed. Not thread-safe. */
@API(status = API.Status.STABLE)
public final class FeedCheck extends PropertyCheck {

    private final BiConsumer<String, String> problems;

    /**
     * @param kind name of the feed's kind
     * @param settings settings of the application that the feed can use
     * @param problems receives each error: the property, relative to the pipeline, and the message
     */
    public FeedCheck(String kind, ApplicationSettings settings, BiConsumer<String, String> problems) {
        super("feed." + kind, settings, problems);
        this.problems = problems;
    }

    /** Reports that the feed cannot deliver records of the pipeline's schema. */
    public void schemaProblem(String message) {
        problems.accept("schema", SCHEMA_MISMATCH.message(message));
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
}
