package io.millrace.store;

import io.millrace.codec.RejectSink;
import io.millrace.schema.Schema;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Regions of records, open for writing and reading. Thread-safe; the writers it gives are not. */
public interface Store extends AutoCloseable {

    /** For how long answers are looked for where nobody says otherwise. */
    Duration TIMEOUT = Duration.ofSeconds(60);

    /**
     * Opens a region, with all that it holds on disk.
     *
     * @throws StoreException where it is open already, or holds records of another schema
     */
    void open(RegionDefinition definition);

    /**
     * Opens a dead-letter region.
     *
     * @param copies how many more members keep each reject
     */
    void openRejects(String region, int copies, boolean persistent);

    /**
     * A writer for one partition of a pipeline; there may be one at a time.
     *
     * @param records schema of the batches that it will be given
     * @param rejects receives records whose key can't be read, or for which the region's condition to remove has no
     *     result; asked in {@link RegionWriter#append}
     * @throws IllegalArgumentException where such batches can't give what the region keeps
     * @throws io.millrace.expression.ExpressionException where the region's condition to remove can't be asked of them
     * @throws StoreException where another pipeline of the same {@linkplain BlockKey hash} writes to this region, or
     *     the last block stored is damaged
     */
    RegionWriter writer(String region, String pipeline, int partition, Schema records, RejectSink rejects);

    /** A writer of rejects for one partition of a pipeline; there may be one at a time. */
    RejectWriter rejectWriter(String region, String pipeline, int partition);

    /**
     * Opens what keeps states; where it is open already nothing is done.
     *
     * @param persistent whether they are kept on disk too
     */
    void openStates(boolean persistent);

    /**
     * What keeps states.
     *
     * @throws StoreException where it was not opened
     */
    StateStore states(boolean persistent);

    /**
     * Makes sure that all open regions can be asked and written, and are the same wherever they are.
     *
     * @throws StoreException saying what is not as it should be
     */
    void requireThere();

    /**
     * Makes sure that all values have the copies that they are to have; a client of a cluster does not know.
     *
     * @throws StoreException saying where some are missing
     */
    void requireCopies();

    /** Names of all open regions of records, sorted. */
    List<String> regions();

    /** What a region was opened as. */
    RegionDefinition definition(String region);

    /** How much a region holds; looks at the header of each block. */
    RegionInfo info(String region);

    /**
     * How many records this process has removed for a region's {@linkplain RegionDefinition#retention retention} since
     * it opened the region; 0 where the region is elsewhere, or not open. Cheap.
     */
    long expired(String region);

    /**
     * The record of a key. Of the records in blocks that have the same key it is the one stored last; where several
     * pipelines or partitions stored some, that of the one whose {@linkplain BlockKey block keys} are the largest.
     *
     * @param key as text, in the form that text files give the key's field; of several fields the text that is the
     *     {@linkplain EntryKey key}
     * @return the record's {@linkplain StoredForm stored form}, which must not be changed, or null where there is none
     * @throws io.millrace.codec.FieldValueException where the text is no value of the key's field
     * @throws IllegalArgumentException where it has not as many parts as the key has fields
     * @throws StoreException where the region's blocks have no key, or one is damaged
     */
    byte @Nullable [] get(String region, String key);

    /**
     * The record of a key, decoded with its virtual fields; else as {@link #get}.
     *
     * @throws io.millrace.expression.ExpressionException where a virtual field can't be computed
     */
    @Nullable
    Map<String, @Nullable Object> record(String region, String key);

    /**
     * The record of a key, as somebody else reads it; else as {@link #get}.
     *
     * @param select names of stored and of virtual fields; none is all that are stored
     * @param reading is given what decodes these, and makes a reader of records
     * @throws io.millrace.expression.ExpressionException where a virtual field can't be computed
     * @throws NoResultException where one has no result
     */
    <T> Optional<T> record(
            String region, String key, List<String> select, Function<StoredRecords, RecordReader<T>> reading);

    /**
     * Answers a question from what the region holds while it is asked; blocks not yet stored are not among it. Nothing
     * is looked at before the first row is asked for.
     *
     * @param timeout the longest that looking for rows may take, without the time between one and the next
     * @return rows by field name, values of each field's Java type
     * @throws io.millrace.expression.ExpressionException where an expression is wrong
     * @throws IllegalArgumentException where a field selected is not stored
     * @throws StoreException where the region is not open
     */
    Answer<Map<String, @Nullable Object>> find(String region, Query query, Duration timeout);

    /**
     * The same, of rows that somebody else reads.
     *
     * @param reading is given what decodes the records that the question selects, and makes a reader of them
     */
    <T> Answer<T> find(String region, Query query, Duration timeout, Function<StoredRecords, RecordReader<T>> reading);

    /**
     * Answers a question for figures, as {@link #find} answers one for records.
     *
     * @return groups by the texts of the question: what makes it a group, then its figures
     * @throws io.millrace.expression.ExpressionException where an expression is wrong
     * @throws IllegalArgumentException where a figure is none
     * @throws StoreException where the region is not open
     */
    Answer<Map<String, @Nullable Object>> figures(String region, AggregateQuery query, Duration timeout);

    /** All that {@link #find} finds, within the {@linkplain #TIMEOUT usual time}. */
    default QueryResult query(String region, Query query) {
        try (Answer<Map<String, @Nullable Object>> answer = find(region, query, TIMEOUT)) {
            return new QueryResult(answer.stream().toList(), answer.counts(), answer.nanos());
        }
    }

    /** All {@link #figures}, within the {@linkplain #TIMEOUT usual time}. */
    default AggregateResult aggregate(String region, AggregateQuery query) {
        try (Answer<Map<String, @Nullable Object>> answer = figures(region, query, TIMEOUT)) {
            return new AggregateResult(answer.stream().toList(), answer.counts(), answer.nanos());
        }
    }

    /**
     * Shows a listener all records of a region of entries whose key is one field, and from then on each that is put or
     * removed. To be called before anybody writes to the region.
     *
     * @throws StoreException where the region's records are not in this process
     */
    void follow(String region, RecordListener listener);

    /** Names of all open dead-letter regions, sorted. */
    List<String> rejectRegions();

    /** How many rejects a dead-letter region holds. */
    long rejectCount(String region);

    /** The rejects of a dead-letter region with the lowest keys, up to {@code limit} of them. */
    List<Reject> rejects(String region, int limit);

    @Override
    void close();
}
