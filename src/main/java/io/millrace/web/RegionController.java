package io.millrace.web;

import io.millrace.codec.FieldValueException;
import io.millrace.store.query.Migration;
import io.millrace.store.query.NoResultException;
import io.millrace.store.query.RegionMigrations;
import io.millrace.store.query.RegionQueries;
import io.millrace.store.region.RegionDefinition;
import io.millrace.web.answer.KnownRegions;
import io.millrace.web.request.ApiErrorCode;
import io.millrace.web.request.ApiException;
import io.millrace.web.request.ApiPath;
import io.millrace.web.request.RecordJson;
import io.millrace.web.request.Workers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Returns the status of regions, and single records of them. */
@RestController
@RequestMapping(ApiPath.BASE + "/regions")
class RegionController {

    /** Shorter than the timeouts of clients. */
    private static final Duration MIGRATION_TIME = Duration.ofSeconds(5);

    private final RegionQueries store;
    private final RegionMigrations migrations;
    private final KnownRegions regions;

    RegionController(RegionQueries store, RegionMigrations migrations) {
        this.store = store;
        this.migrations = migrations;
        this.regions = new KnownRegions(store);
    }

    @GetMapping
    Mono<List<Map<String, @Nullable Object>>> all() {
        return Workers.run(() -> RegionViews.all(store));
    }

    @GetMapping("/{region}")
    Mono<Map<String, @Nullable Object>> one(@PathVariable String region) {
        return Workers.run(() -> RegionViews.withFields(store.info(regions.known(region))));
    }

    /** Migrates a part of a region to the newest version of its schema: callers repeat it until it is done. */
    @PostMapping("/{region}/migrate")
    Mono<Migration> migrate(@PathVariable String region) {
        return Workers.run(() -> migrations.migrate(regions.known(region), MIGRATION_TIME));
    }

    /**
     * Returns one record of a region with its virtual fields: an entry, or the last record in blocks that has the key.
     *
     * @param key as text; of several fields their texts, separated by {@code |}
     */
    @GetMapping("/{region}/{key}")
    Mono<ResponseEntity<byte[]>> entry(@PathVariable String region, @PathVariable String key) {
        return Workers.run(() -> {
            Map<String, @Nullable Object> record = record(store.definition(regions.known(region)), key);
            if (record == null) {
                throw new ApiException(
                        ApiErrorCode.UNKNOWN_KEY, "Unknown key '" + key + "' in region '" + region + "'.");
            }
            return ResponseEntity.ok()
                    .contentType(MediaType.APPLICATION_JSON)
                    .body(RecordJson.mapper().writeValueAsBytes(record));
        });
    }

    private @Nullable Map<String, @Nullable Object> record(RegionDefinition region, String key) {
        if (region.keyFields().isEmpty()) {
            throw new ApiException(
                    ApiErrorCode.BAD_KEY,
                    "Region '" + region.name() + "' has no key. Use a query, or set 'key' of the region.");
        }
        try {
            return store.record(region.name(), key);
        } catch (NoResultException e) {
            throw new ApiException(ApiErrorCode.INCOMPLETE, String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException | FieldValueException e) {
            throw new ApiException(ApiErrorCode.BAD_KEY, String.valueOf(e.getMessage()));
        }
    }
}
