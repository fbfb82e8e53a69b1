package io.millrace.store;

import io.millrace.background.BackgroundTask;
import io.millrace.background.BackgroundTasks;
import io.millrace.codec.RejectSink;
import io.millrace.schema.Schema;
import io.millrace.store.catalog.CatalogEntry;
import io.millrace.store.catalog.StoredDefinition;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.AggregateResult;
import io.millrace.store.query.Answer;
import io.millrace.store.query.Query;
import io.millrace.store.query.QueryResult;
import io.millrace.store.query.RecordListener;
import io.millrace.store.query.RecordReader;
import io.millrace.store.query.StoredRecords;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.RegionInfo;
import io.millrace.store.write.Claim;
import io.millrace.store.write.Commits;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.StateStore;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Regions of records, open for writing and reading. Thread-safe; the writers it returns are not. */
public interface Store extends AutoCloseable, BackgroundTasks {

    /** The default timeout of queries. */
    Duration TIMEOUT = Duration.ofSeconds(60);

    /**
     * Opens a region, with all its data on disk.
     *
     * @throws io.millrace.store.error.DefinitionChangedException if it contains records that can't be used with this
     *     definition
     * @throws io.millrace.store.error.StoreException if it is already open
     */
    void open(RegionDefinition definition);

    /**
     * Claims the right to write under a name, with all its parts. If the process runs alone, the claim always succeeds:
     * a data folder belongs to one process. In a cluster it succeeds if no process holds the name, or its owner has
     * shown no sign of life for the configured time; the owner's writes are refused from then on.
     *
     * @param writer to claim, as a whole
     * @param persistent whether one of the regions that it writes to is persistent
     * @throws io.millrace.store.error.StoreException if the store does not answer: call again
     */
    Claim claim(WriterName writer, boolean persistent);

    /**
     * Ends a term, so that another process may begin one immediately; does nothing if the term has already ended.
     *
     * @throws io.millrace.store.error.StoreException if the store does not answer
     */
    void release(Term term);

    /**
     * Requires that a term has not ended by the loss of this process' stored data, for pipelines that write nothing for
     * a while. A claim of the writer by another process is detected by the next write.
     *
     * @throws io.millrace.store.error.StoreReopenedException if the store was reopened since the claim
     * @throws io.millrace.store.error.StoreException if the store is closed: call again
     */
    default void requireTerm(Term term) {}

    /**
     * Returns the commits of pipelines.
     *
     * @param persistent whether to return those that are stored on disk, or those of regions in memory
     */
    Commits commits(boolean persistent);

    /**
     * Returns a writer to a region, to be {@linkplain RegionWriter#open opened}; there may be one of a name at a time.
     *
     * @param records schema of the batches that it receives
     * @param rejects receives records whose key can't be read, or for which the region's condition to remove has no
     *     result; called in {@link RegionWriter#append}
     * @throws IllegalArgumentException if batches of this schema do not contain what the region stores
     * @throws io.millrace.expression.ExpressionException if the region's condition to remove can't be evaluated on them
     */
    RegionWriter writer(String region, WriterName writer, Schema records, RejectSink rejects);

    /**
     * Opens the store of states; does nothing if it is already open.
     *
     * @param persistent whether they are also stored on disk
     */
    void openStates(boolean persistent);

    /**
     * Compares a measure with the definition that its state was stored under, and stores the new one if the state can
     * be used with it. A state that is not stored is not compared.
     *
     * @param name in the catalog: {@link StoredDefinition#measureName}
     * @param persistent whether its states are on disk
     * @throws io.millrace.store.error.DefinitionChangedException if its state can't be used
     * @throws io.millrace.store.error.StoreException if states were not opened, or the store does not answer
     */
    void openMeasure(String name, StoredDefinition definition, boolean persistent);

    /**
     * Returns the definitions that regions and measures on disk were stored under, by name, open or not.
     *
     * @throws io.millrace.store.error.StoreException if the store does not answer
     */
    List<CatalogEntry> catalog();

    /**
     * Returns the store of states.
     *
     * @throws io.millrace.store.error.StoreException if it was not opened
     */
    StateStore states(boolean persistent);

    /**
     * Requires that all open regions can be read and written, and have the same definition on all members.
     *
     * @throws io.millrace.store.error.StoreException with the reason if not
     */
    void requireThere();

    /**
     * Requires that all values have their configured redundant copies; has no effect on a client of a cluster.
     *
     * @throws io.millrace.store.error.StoreException naming a region that lacks copies
     */
    void requireCopies();

    /**
     * Returns how many writes this process has refused since it joined its cluster, because their {@linkplain Term
     * term} had ended; 0 if other processes check them, or no other process can write. Cheap.
     */
    long refusedWrites();

    /** Returns the names of all open regions of records, sorted. */
    List<String> regions();

    /** Returns the definition of an open region. */
    RegionDefinition definition(String region);

    /** Returns the size of a region; reads the header of each block. */
    RegionInfo info(String region);

    /**
     * Returns how many records this process has removed for a region's {@linkplain RegionDefinition#retention
     * retention} since it opened the region; 0 if the region is on servers only, or not open. Cheap.
     */
    long expired(String region);

    /**
     * Returns the record of a key. Of several records in blocks with the same key, this is the one stored last; if
     * several pipelines or partitions stored some, that of the one with the largest
     * {@linkplain io.millrace.store.region.BlockKey block keys}.
     *
     * @param key as text, in the format of text files for the key's field; of several fields the text that is the
     *     {@linkplain io.millrace.store.region.EntryKey key}
     * @return the record's {@linkplain io.millrace.store.region.StoredForm stored form}, which must not be changed, or
     *     null if there is none
     * @throws io.millrace.codec.FieldValueException if the text is not a value of the key's field
     * @throws IllegalArgumentException if the number of its parts is not the number of the key's fields
     * @throws io.millrace.store.error.StoreException if the region's blocks have no key, or one is corrupt
     */
    byte @Nullable [] get(String region, String key);

    /**
     * Returns the record of a key, decoded with its virtual fields; otherwise as {@link #get}.
     *
     * @throws io.millrace.expression.ExpressionException if a virtual field can't be computed
     */
    @Nullable
    Map<String, @Nullable Object> record(String region, String key);

    /**
     * Returns the record of a key, read by the given reader; otherwise as {@link #get}.
     *
     * @param select names of stored and of virtual fields; empty for all stored fields
     * @param reading receives the decoder of these, and returns a reader of records
     * @throws io.millrace.expression.ExpressionException if a virtual field can't be computed
     * @throws io.millrace.store.query.NoResultException if one has no result
     */
    <T> Optional<T> record(
            String region, String key, List<String> select, Function<StoredRecords, RecordReader<T>> reading);

    /**
     * Answers a query from the data of the region during the query; blocks not yet stored are not part of it. No data
     * is scanned before the first call for a row.
     *
     * @param timeout maximum time for fetching rows, without the time between calls
     * @return rows by field name, values of each field's Java type
     * @throws io.millrace.expression.ExpressionException if an expression is invalid
     * @throws IllegalArgumentException if a selected field is not stored
     * @throws io.millrace.store.error.StoreException if the region is not open
     */
    Answer<Map<String, @Nullable Object>> find(String region, Query query, Duration timeout);

    /**
     * Answers a query, as {@link #find}, with rows read by the given reader.
     *
     * @param reading receives the decoder of the records that the query selects, and returns a reader of them
     */
    <T> Answer<T> find(String region, Query query, Duration timeout, Function<StoredRecords, RecordReader<T>> reading);

    /**
     * Answers an aggregate query, as {@link #find} answers one for records.
     *
     * @return groups by the texts of the query: their keys, then their aggregates
     * @throws io.millrace.expression.ExpressionException if an expression is invalid
     * @throws IllegalArgumentException if an aggregate is invalid
     * @throws io.millrace.store.error.StoreException if the region is not open
     */
    Answer<Map<String, @Nullable Object>> figures(String region, AggregateQuery query, Duration timeout);

    /** Returns all results of {@link #find}, within the {@linkplain #TIMEOUT default timeout}. */
    default QueryResult query(String region, Query query) {
        try (Answer<Map<String, @Nullable Object>> answer = find(region, query, TIMEOUT)) {
            return new QueryResult(answer.stream().toList(), answer.counts(), answer.nanos());
        }
    }

    /** Returns all {@link #figures}, within the {@linkplain #TIMEOUT default timeout}. */
    default AggregateResult aggregate(String region, AggregateQuery query) {
        try (Answer<Map<String, @Nullable Object>> answer = figures(region, query, TIMEOUT)) {
            return new AggregateResult(answer.stream().toList(), answer.counts(), answer.nanos());
        }
    }

    /**
     * Passes to a listener all records of a region of entries whose key is one field, and from then on each that is put
     * or removed. Must be called before the first write to the region.
     *
     * @throws io.millrace.store.error.StoreException if the region's records are not in this process
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
