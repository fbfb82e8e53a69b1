package io.millrace.store.write;

import io.millrace.schema.evolution.SchemaDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The versions of the rules of pipelines, and which of them processed which records. Every method throws a
 * {@link io.millrace.store.error.StoreException} if the store does not answer. Thread-safe.
 */
public interface RuleVersions {

    /** Returns a version, or null if no version has this number. */
    @Nullable
    RuleVersion get(String pipeline, long number);

    /** Returns all versions of a pipeline, in the order of their numbers. */
    List<RuleVersion> all(String pipeline);

    /**
     * Adds a version, and returns whether its number was free: of several that are added at a time under the same
     * number, one succeeds.
     */
    boolean add(String pipeline, RuleVersion version);

    /** Returns the uses of all versions of a pipeline, in the order of their numbers and writers. */
    List<RuleUse> uses(String pipeline);

    /**
     * Adds a use, unless it is known: a version is used once by each writer. Then stores it as the writer's last.
     *
     * @param term of the writer
     * @throws io.millrace.store.error.SupersededException if the term has ended
     */
    void add(Term term, RuleUse use);

    /** Returns the last use of each writer, with the process that has the pipeline now, in the order of the writers. */
    List<RuleUse> running(String pipeline);

    /** Returns the fingerprint of the configured rules with which an instance started last; null if unknown. */
    @Nullable
    String configured(String pipeline, String instance);

    /** Stores the fingerprint of the configured rules with which an instance starts. */
    void setConfigured(String pipeline, String instance, String fingerprint);

    /** Returns the schemas of the records that a pipeline has read, in no order. */
    List<SchemaDescription> schemas(String pipeline);

    /** Adds a schema of the records that a pipeline reads, unless it is known. */
    void addSchema(String pipeline, SchemaDescription schema);

    /** Returns the content of the watched file that an instance accepted last; null if unknown. */
    @Nullable
    WatchedRules watched(String pipeline, String instance);

    /** Stores the content of the watched file that an instance has accepted. */
    void setWatched(String pipeline, String instance, WatchedRules content);
}
