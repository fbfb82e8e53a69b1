package io.millrace.store.region;

import io.millrace.schema.evolution.SchemaDescription;
import io.millrace.store.catalog.StoredDefinition;
import io.millrace.store.catalog.StoredDefinition.Kind;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Creates the catalog definitions of regions. */
public final class StoredDefinitions {

    private StoredDefinitions() {}

    /**
     * Returns the catalog definition of a region of records.
     *
     * @param buckets number of buckets of the region
     */
    public static StoredDefinition of(RegionDefinition region, int buckets) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("layout", region.layout().tag());
        if (!region.keyFields().isEmpty()) {
            properties.put("key", String.join(", ", region.keyFields()));
        }
        if (region.layout() == Layout.BLOCKS) {
            properties.put("encoding", region.encoding().tag());
            properties.put("block-records", String.valueOf(region.blockRecords()));
        }
        put(properties, "remove", region.remove());
        put(properties, "latest", region.latest());
        put(properties, "retain.age", region.retention().age());
        put(properties, "retain.size", region.retention().bytes());
        put(properties, "max-memory", region.memory().limit());
        if (region.memory().offHeap()) {
            properties.put("off-heap", "true");
        }
        properties.put("redundant-copies", String.valueOf(region.copies()));
        properties.put("persistent", String.valueOf(region.persistent()));
        properties.put("buckets", String.valueOf(buckets));
        return new StoredDefinition(Kind.REGION, properties, SchemaDescription.of(region.schema()));
    }

    private static void put(Map<String, String> properties, String name, @Nullable Object value) {
        if (value != null) {
            properties.put(name, value.toString());
        }
    }
}
