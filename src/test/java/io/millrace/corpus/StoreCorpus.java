package io.millrace.corpus;

import io.millrace.schema.Schema;
import io.millrace.store.Store;
import io.millrace.store.Writers;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.AggregateResult;
import io.millrace.store.query.Query;
import io.millrace.store.query.QueryResult;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.RegionWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The corpus in regions of a store: fields of all types, in each layout and each form of storage. */
public final class StoreCorpus {

    private static final long SEED = 20261126;
    private static final int RECORDS = 100;

    private final Random random = new Random(SEED);
    private final CorpusRecords records = CorpusRecords.random(random, CorpusField.all(random), RECORDS, false);
    private final Map<RegionDefinition, CorpusForm> regions = new LinkedHashMap<>();

    public StoreCorpus() {
        for (CorpusForm form : records.forms()) {
            StorePlace.regions(form, random).values().forEach(region -> regions.put(region, form));
        }
    }

    /** Returns the same regions in each process. */
    public List<RegionDefinition> regions() {
        return List.copyOf(regions.keySet());
    }

    /** Stores the records in all regions, which are open. */
    public void write(Store store) {
        regions.forEach((region, form) -> {
            RegionWriter writer = Writers.open(store, region.name(), "corpus-" + region.name(), form.schema());
            writer.append(form.batch());
            writer.flush();
        });
    }

    /** Compares answers of the store, and returns how many. */
    public int check(Store store, int expressions) {
        List<StorePlace> places = new ArrayList<>();
        regions.forEach((region, form) ->
                places.add(new StorePlace(region.name(), random, form, new Engine(store, region.name()))));
        CaseCounts counts = new CaseCounts();
        CorpusCheck check = new CorpusCheck(random, records, places, counts);
        for (int i = 0; i < expressions; i++) {
            check.condition();
            check.value();
            check.aggregates();
        }
        check.orders();
        counts.requireAtLeast(2 * expressions);
        return counts.all();
    }

    private record Engine(Store store, String region) implements StorePlace.Engine {

        @Override
        public QueryResult query(Schema schema, Query query) {
            return store.query(region, query);
        }

        @Override
        public AggregateResult aggregate(AggregateQuery query) {
            return store.aggregate(region, query);
        }

        @Override
        public boolean takesSchemas() {
            return false;
        }
    }
}
