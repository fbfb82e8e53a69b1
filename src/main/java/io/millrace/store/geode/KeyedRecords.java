package io.millrace.store.geode;

import io.millrace.expression.function.FunctionRegistry;
import io.millrace.schema.Schema;
import io.millrace.store.geode.query.FoundRecord;
import io.millrace.store.geode.query.QueryExecutor;
import io.millrace.store.geode.query.RegionQuery;
import io.millrace.store.geode.region.OpenRegion;
import io.millrace.store.query.StoredRecordReader;
import io.millrace.store.query.StoredRecords;
import io.millrace.store.query.WholeRecords;
import io.millrace.store.region.EntryKey;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.scan.KeyLookup;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Single records of regions, by their keys. Thread-safe. */
final class KeyedRecords {

    private record Version(String region, long fingerprint) {}

    private record Found(Schema schema, byte[] record) {}

    private final QueryExecutor queries;
    private final FunctionRegistry functions;
    /** Decoders by the version of a region's schema. */
    private final Map<Version, WholeRecords> decoders = new ConcurrentHashMap<>();

    /** @param functions that computed fields may call */
    KeyedRecords(QueryExecutor queries, FunctionRegistry functions) {
        this.queries = queries;
        this.functions = functions;
    }

    /** As {@link io.millrace.store.query.RegionQueries#get}. */
    byte @Nullable [] get(OpenRegion region, String key) {
        RegionDefinition definition = region.definition();
        if (definition.layout() == Layout.ENTRIES) {
            Object entryKey =
                    EntryKey.of(definition.schema(), definition.keyFields()).parse(key);
            byte[] entry = queries.entry(region, entryKey);
            return entry == null ? null : region.record(entryKey, entry);
        }
        // Parsed here first: an invalid key is reported whether or not there is data.
        KeyLookup.of(definition, key);
        long fingerprint = definition.schema().fingerprint();
        return FoundRecord.last(queries.executeAll(region, from -> new RegionQuery.Last(fingerprint, key, from)));
    }

    /** As {@link io.millrace.store.query.RegionQueries#record(String, String)}. */
    @Nullable
    Map<String, @Nullable Object> record(OpenRegion region, String key) {
        Found found = found(region, key);
        if (found == null) {
            return null;
        }
        Version version = new Version(region.definition().name(), found.schema().fingerprint());
        return decoders.computeIfAbsent(version, _ -> new WholeRecords(found.schema(), functions))
                .decode(found.record());
    }

    /** As {@link io.millrace.store.query.RegionQueries#record(String, String, List, Function)}. */
    <T> Optional<T> record(
            OpenRegion region,
            String key,
            List<String> select,
            Function<StoredRecords, StoredRecordReader<T>> reading) {
        return Optional.ofNullable(found(region, key))
                .map(found -> reading.apply(StoredRecords.of(found.schema(), select, functions))
                        .read(found.record(), 0, found.record().length));
    }

    /** Returns the record of a key with the version of the schema that it was read with, null if there is none. */
    @SuppressWarnings("ReferenceEquality") // the same object while nothing changes
    private @Nullable Found found(OpenRegion region, String key) {
        while (true) {
            RegionDefinition before = region.current().definition();
            byte[] record = get(region, key);
            if (region.definition() == before) {
                return record == null ? null : new Found(before.schema(), record);
            }
        }
    }
}
