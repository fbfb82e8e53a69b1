package io.millrace.web;

import io.millrace.codec.FieldValueException;
import io.millrace.schema.NearestName;
import io.millrace.store.AggregateQuery;
import io.millrace.store.AggregateResult;
import io.millrace.store.Query;
import io.millrace.store.QueryResult;
import io.millrace.store.RegionDefinition;
import io.millrace.store.RegionInfo;
import io.millrace.store.Reject;
import io.millrace.store.ScanCounts;
import io.millrace.store.Store;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What the regions hold, and questions to them. Scans run on threads that may block, not on those of the network. */
@RestController
@RequestMapping("/api/regions")
class RegionController {

    private final Store store;

    RegionController(Store store) {
        this.store = store;
    }

    @GetMapping
    Mono<List<Map<String, @Nullable Object>>> all() {
        return blocking(() ->
                store.regions().stream().map(region -> view(store.info(region))).toList());
    }

    @GetMapping("/{region}")
    Mono<Map<String, @Nullable Object>> one(@PathVariable String region) {
        return blocking(() -> store.rejectRegions().contains(region)
                ? rejectsView(region)
                : view(store.info(known(region, store.regions()))));
    }

    /**
     * Records of a region, or the rejects of a dead-letter region.
     *
     * @param where condition in the language of the rules
     * @param parameters {@code select}, names of fields, virtual ones too, all that are stored if there are none;
     *     {@code orderBy}, expressions, each with {@code asc} or {@code desc} behind it if need be
     * @param limit how many at most
     */
    @GetMapping("/{region}/records")
    Mono<Map<String, @Nullable Object>> records(
            @PathVariable String region,
            @RequestParam @Nullable String where,
            @RequestParam MultiValueMap<String, String> parameters,
            @RequestParam(defaultValue = "" + Query.DEFAULT_LIMIT) int limit) {
        return blocking(() -> {
            Query query = refusing(() -> new Query(
                    condition(where),
                    ExpressionList.of(parameters, "select"),
                    ExpressionList.of(parameters, "orderBy"),
                    limit));
            if (store.rejectRegions().contains(region)) {
                return rejects(region, query);
            }
            String known = known(region, store.regions());
            QueryResult result = refusing(() -> store.query(known, query));
            return view("records", result.records(), result.counts(), result.nanos());
        });
    }

    /**
     * One record of a region with its virtual fields: an entry, or of blocks the last record that has the key.
     *
     * @param key its text; of several fields their texts, with {@code |} between them
     */
    @GetMapping("/{region}/{key}")
    Mono<Map<String, @Nullable Object>> entry(@PathVariable String region, @PathVariable String key) {
        return blocking(() -> {
            Map<String, @Nullable Object> record = record(store.definition(known(region, store.regions())), key);
            if (record == null) {
                throw new ApiException(404, "unknown-key", "region=" + region + " holds no record with key=" + key);
            }
            return record;
        });
    }

    private @Nullable Map<String, @Nullable Object> record(RegionDefinition region, String key) {
        if (region.keyFields().isEmpty()) {
            throw new ApiException(
                    400,
                    "bad-key",
                    "region=" + region.name() + " keeps blocks without a key: name one, or use a query");
        }
        try {
            return store.record(region.name(), key);
        } catch (IllegalArgumentException | FieldValueException e) {
            throw new ApiException(400, "bad-key", String.valueOf(e.getMessage()));
        }
    }

    /**
     * Figures of groups of a region's records.
     *
     * @param where condition in the language of the rules
     * @param parameters {@code by}, what makes a group, one of all if there is none; {@code values}, count(), and sum,
     *     min, max and avg of an expression
     * @param limit how many groups at most
     */
    @GetMapping("/{region}/aggregate")
    Mono<Map<String, @Nullable Object>> aggregate(
            @PathVariable String region,
            @RequestParam @Nullable String where,
            @RequestParam MultiValueMap<String, String> parameters,
            @RequestParam(defaultValue = "" + AggregateQuery.DEFAULT_LIMIT) int limit) {
        return blocking(() -> {
            AggregateQuery query = refusing(() -> new AggregateQuery(
                    condition(where),
                    ExpressionList.of(parameters, "by"),
                    ExpressionList.of(parameters, "values"),
                    limit));
            String known = known(region, store.regions());
            AggregateResult result = refusing(() -> store.aggregate(known, query));
            return view("groups", result.groups(), result.counts(), result.nanos());
        });
    }

    private static @Nullable String condition(@Nullable String where) {
        return where == null || where.isBlank() ? null : where;
    }

    /** Tells what is wrong with a question as the client's mistake. */
    private static <T> T refusing(Supplier<T> asking) {
        try {
            return asking.get();
        } catch (IllegalArgumentException e) {
            throw new ApiException(400, "bad-query", String.valueOf(e.getMessage()));
        }
    }

    private static Map<String, @Nullable Object> view(
            String name, List<Map<String, @Nullable Object>> answer, ScanCounts counts, long nanos) {
        Map<String, @Nullable Object> view = new LinkedHashMap<>();
        view.put(name, answer);
        view.put("scanned", counts.scanned());
        view.put("scannedBlocks", counts.scannedBlocks());
        view.put("skippedBlocks", counts.skippedBlocks());
        view.put("failed", counts.failed());
        view.put("firstFailure", counts.firstFailure());
        view.put("nanos", nanos);
        return view;
    }

    private String known(String region, List<String> regions) {
        if (!regions.contains(region)) {
            List<String> all = new ArrayList<>(regions);
            all.addAll(store.rejectRegions());
            throw new ApiException(
                    404, "unknown-region", "region=" + region + " is not open here" + NearestName.hint(region, all));
        }
        return region;
    }

    private Map<String, @Nullable Object> rejectsView(String region) {
        Map<String, @Nullable Object> view = new LinkedHashMap<>();
        view.put("name", region);
        view.put("layout", "rejects");
        view.put("records", store.rejectCount(region));
        return view;
    }

    private static Map<String, @Nullable Object> view(RegionInfo info) {
        Map<String, @Nullable Object> view = new LinkedHashMap<>();
        view.put("name", info.definition().name());
        view.put("layout", info.definition().layout().tag());
        view.put("schema", info.definition().schema().name());
        view.put("fingerprint", info.definition().schema().fingerprintHex());
        view.put("persistent", info.definition().persistent());
        view.put("entries", info.entries());
        view.put("records", info.records());
        view.put("valueBytes", info.valueBytes());
        view.put("bytes", info.bytes());
        view.put("bytesPerRecord", Math.round(info.bytesPerRecord() * 100) / 100.0);
        return view;
    }

    /** Rejects have no schema, so that no expression could read them. */
    private Map<String, @Nullable Object> rejects(String region, Query query) {
        if (query.where() != null
                || !query.select().isEmpty()
                || !query.orderBy().isEmpty()) {
            throw new ApiException(
                    400,
                    "bad-query",
                    "region=" + region + " holds rejects, which have no fields to ask for: leave out where, select and"
                            + " orderBy");
        }
        List<Map<String, Object>> records = new ArrayList<>();
        for (Reject reject : store.rejects(region, Math.toIntExact(query.limit()))) {
            Map<String, Object> record = new LinkedHashMap<>();
            record.put("key", reject.key());
            record.put("position", reject.position());
            record.put("reason", reject.reason().kind().tag());
            record.put("detail", reject.reason().detail());
            record.put("bytes", HexFormat.of().formatHex(reject.bytes()));
            records.add(record);
        }
        Map<String, @Nullable Object> view = new LinkedHashMap<>();
        view.put("records", records);
        return view;
    }

    private static <T> Mono<T> blocking(Callable<T> work) {
        return Mono.fromCallable(() -> answering(work)).subscribeOn(Schedulers.boundedElastic());
    }

    /** Reactor lets these errors end its worker and tells nobody: the client would wait for ever. */
    private static <T> T answering(Callable<T> work) throws Exception {
        try {
            return work.call();
        } catch (VirtualMachineError | LinkageError e) {
            throw new IllegalStateException("the request could not be answered: " + e, e);
        }
    }
}
