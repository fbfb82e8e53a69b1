package io.millrace.feed;

import io.millrace.schema.Schema;
import org.apiguardian.api.API;

/** The feed of a pipeline as configured. Immutable. */
@API(status = API.Status.STABLE)
public interface FeedDefinition {

    /** Returns a short description of the source, such as {@code file trades.bin}, without secrets. */
    String describe();

    /**
     * Checks whether the feed can deliver records of a schema. May read files; starts nothing.
     *
     * @param check receives everything that is wrong
     */
    default void check(Schema schema, FeedCheck check) {
        // delivers records of any schema
    }

    /** Creates the feed. Not called if an error was reported. {@link Feed#open} opens it later. */
    Feed create(FeedContext context);
}
