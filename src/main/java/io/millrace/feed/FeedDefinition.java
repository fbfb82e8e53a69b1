package io.millrace.feed;

import io.millrace.extension.ConnectionCheck;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.util.Set;
import org.apiguardian.api.API;

/** The feed of a pipeline as configured. Immutable. */
@API(status = API.Status.STABLE)
public interface FeedDefinition {

    /** Returns a short description of the source, such as {@code file trades.bin}, without secrets. */
    String describe();

    /**
     * Returns what the end of the feed says about further records. {@link FeedEnd#OPEN} becomes {@link FeedEnd#FINAL}
     * if the configuration says so.
     */
    default FeedEnd end() {
        return FeedEnd.OPEN;
    }

    /**
     * Returns this feed for a source that does not grow. A feed overrides this if it reads the end of its source
     * differently then.
     */
    default FeedDefinition withFinalEnd() {
        return this;
    }

    /**
     * Checks whether the feed can deliver records of a schema. May read files; starts nothing.
     *
     * @param check receives everything that is wrong
     */
    default void check(Schema schema, FeedCheck check) {
        // delivers records of any schema
    }

    /**
     * Returns the constraints of a schema that decide which records the feed delivers, as text, in addition to those
     * that every record has to meet to enter a pipeline.
     */
    default String constraints(Schema schema) {
        return "";
    }

    /**
     * Returns whether the feed makes records of texts. Then it makes the same ones of the same texts if the schema's
     * bytes have changed, while other feeds deliver records as they are.
     */
    default boolean readsText() {
        return false;
    }

    /**
     * Returns whether the source of records of a schema can be read in several {@linkplain Split splits}, each with a
     * position of its own.
     */
    default boolean splittable(Schema schema) {
        return false;
    }

    /**
     * Returns the names of fields of which each decides the split of a record: all records with the same value of one
     * of them are in the same split, in their order.
     *
     * @param schema of the records, which has been {@linkplain #check checked}
     */
    default Set<String> splitBy(Schema schema) {
        return Set.of();
    }

    /** Returns the minimum number of partitions with which a pipeline reads the whole source. */
    default int leastPartitions() {
        return 1;
    }

    /**
     * Returns the number of partitions of a pipeline whose configuration does not state it. The pipeline has less if
     * that is more than it can have.
     */
    default int partitions() {
        return 1;
    }

    /**
     * Reaches the source, for the command {@code check --connect}: reads no records, and creates and changes nothing.
     * Called after {@link #check}. A kind that reports nothing is listed as not checked.
     *
     * @param partitions number of partitions of the pipeline
     * @param check receives what was found
     * @throws IOException if the source can't be reached
     */
    default void connect(int partitions, ConnectionCheck check) throws IOException {
        // not checked
    }

    /** Creates the feed. Not called if an error was reported. {@link Feed#open} opens it later. */
    Feed create(FeedContext context);
}
