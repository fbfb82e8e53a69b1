package io.millrace.store;

import io.millrace.background.BackgroundTask;
import io.millrace.background.BackgroundTasks;
import io.millrace.codec.RejectSink;
import io.millrace.schema.Schema;
import io.millrace.store.catalog.CatalogEntry;
import io.millrace.store.catalog.StoredDefinition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Regions of records, open for writing and reading. Thread-safe; the writers it gives are not. */
public interface Store extends AutoCloseable, BackgroundTasks {

    /** For how long answers are looked for where nobody says otherwise. */
    Duration TIMEOUT = Duration.ofSeconds(60);

    /**
     * Opens a region, with all that it holds on disk.
     *
     * @throws DefinitionChangedException where it holds records that can't be used with this definition
     * @throws StoreException where it is open already
     */
    void open(RegionDefinition definition);

    /**
     * Claims the right to write under a name, with all its parts. Alone, the claim always succeeds: a folder of data
     * belongs to one process. In a cluster it succeeds where nobody holds the name, or its owner has shown no sign of
     * life for as long as configured; the owner's writes are refused from then on.
     *
     * @param writer to be claimed, as a whole
     * @param persistent whether one of the regions that it writes to is
     * @throws StoreException where the store does not answer: call again
     */
    Claim claim(WriterName writer, boolean persistent);

    /**
     * Ends a term, so that another process may begin one at once; where the term has ended already nothing is done.
     *
     * @throws StoreException where the store does not answer
     */
    void release(Term term);

    /**
     * Makes sure that a term has not ended with what this process had stored, for pipelines that write nothing for a
     * while. That another process has claimed the writer shows with the next write.
     *
     * @throws StoreReopenedException where the store was opened again since the claim
     * @throws StoreException where the store is closed: call again
     */
    default void requireTerm(Term term) {}

    /**
     * Returns the commits of pipelines.
     *
     * @param persistent whether those that are stored on disk, or those of regions in memory
     */
    Commits commits(boolean persistent);

    /**
     * Returns a writer to a region, to be {@linkplain RegionWriter#open opened}; there may be one of a name at a time.
     *
     * @param records schema of the batches that it will be given
     * @param rejects receives records whose key can't be read, or for which the region's condition to remove has no
     *     result; asked in {@link RegionWriter#append}
     * @throws IllegalArgumentException where such batches can't give what the region keeps
     * @throws io.millrace.expression.ExpressionException where the region's condition to remove can't be asked of them
     */
    RegionWriter writer(String region, WriterName writer, Schema records, RejectSink rejects);

    /**
     * Opens what keeps states; where it is open already nothing is done.
     *
     * @param persistent whether they are kept on disk too
     */
    void openStates(boolean persistent);

    /**
     * Compares a measure with the definition that its state was stored under, and stores the new one where the state
     * can be used with it. A state that is not stored is not compared.
     *
     * @param name in the catalog: {@link StoredDefinition#measureName}
     * @param persistent whether its states are on disk
     * @throws DefinitionChangedException where its state can't be used
     * @throws StoreException where states were not opened, or the store does not answer
     */
    void openMeasure(String name, StoredDefinition definition, boolean persistent);

    /**
     * Returns the definitions that regions and measures on disk were stored under, by name, open or not.
     *
     * @throws StoreException where the store does not answer
     */
    List<CatalogEntry> catalog();

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

    /**
     * How many writes this process has refused since it joined its cluster, because their {@linkplain Term term} had
     * ended; 0 where other processes check them, or nobody else can write. Cheap.
     */
    long refusedWrites();

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
     * Answers a query from what the region holds while it is asked; blocks not yet stored are not among it. Nothing is
     * looked at before the first row is asked for.
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
     * @param reading is given what decodes the records that the query selects, and makes a reader of them
     */
    <T> Answer<T> find(String region, Query query, Duration timeout, Function<StoredRecords, RecordReader<T>> reading);

    /**
     * Answers a query for figures, as {@link #find} answers one for records.
     *
     * @return groups by the texts of the query: what makes it a group, then its figures
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

    /** Returns the tasks that the store runs in this process, such as retention. */
    @Override
    default List<BackgroundTask> backgroundTasks() {
        return List.of();
    }

    @Override
    void close();
}
