package io.millrace.web;

import io.millrace.expression.FieldPlace;
import io.millrace.schema.CompactPart;
import io.millrace.schema.Schema;
import io.millrace.store.region.RegionInfo;
import io.millrace.store.region.Regions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Regions in JSON. */
public final class RegionViews {

    private RegionViews() {}

    /**
     * Returns all regions. Reads the metrics of each, in a cluster from the servers.
     *
     * @throws io.millrace.store.error.StoreException if the servers don't respond
     */
    public static List<Map<String, @Nullable Object>> all(Regions regions) {
        return regions.regions().stream()
                .map(region -> of(regions.info(region)))
                .toList();
    }

    /** Returns one region. */
    static Map<String, @Nullable Object> of(RegionInfo info) {
        Map<String, @Nullable Object> view = new LinkedHashMap<>();
        view.put("name", info.definition().name());
        view.put("layout", info.definition().layout().tag());
        view.put("schema", info.definition().schema().name());
        view.put("fingerprint", info.definition().schema().fingerprintHex());
        view.put("persistent", info.definition().persistent());
        view.put("entries", info.entries());
        view.put("records", info.records());
        view.put("expired", info.expired());
        view.put("valueBytes", info.valueBytes());
        view.put("bytes", info.bytes());
        view.put("bytesPerRecord", Math.round(info.bytesPerRecord() * 100) / 100.0);
        return view;
    }

    /** Returns one region and its fields: stored fields with their types, virtual fields with their expressions. */
    static Map<String, @Nullable Object> withFields(RegionInfo info) {
        Schema schema = info.definition().schema();
        List<Map<String, String>> fields = new ArrayList<>();
        schema.fields().stream()
                .filter(field -> !CompactPart.isPresence(field.name()))
                .forEach(field -> fields.add(Map.of(
                        "name",
                        field.name(),
                        "type",
                        FieldPlace.of(field, schema).type())));
        schema.virtualFields()
                .forEach(field -> fields.add(Map.of("name", field.name(), "expression", field.expression())));
        Map<String, @Nullable Object> view = of(info);
        view.put("fields", fields);
        return view;
    }
}
