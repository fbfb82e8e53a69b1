package io.millrace.web.answer;

import io.millrace.schema.Schema;
import io.millrace.store.query.Answer;
import io.millrace.store.query.IncompleteAnswerException;
import io.millrace.store.query.Query;
import io.millrace.store.query.RegionQueries;
import io.millrace.store.query.StoredRecordReader;
import io.millrace.store.query.StoredRecords;
import io.millrace.store.reject.Reject;
import io.millrace.web.request.ApiErrorCode;
import io.millrace.web.request.ApiException;
import io.millrace.web.request.ApiPath;
import io.millrace.web.request.RecordJson;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs queries on regions. Sends rows as they are found, and no faster than the client reads them. Errors before the
 * first megabyte are returned as problem details. A later error closes the connection, so that an incomplete answer
 * does not look complete.
 */
@RestController
@RequestMapping(ApiPath.BASE + "/regions")
class AnswerController {

    private static final String RECORDS = "records";
    private static final String BYTES = "bytes";

    private final RegionQueries store;
    private final KnownRegions regions;
    private final QueryLimits limits;
    private final AnswerThreads threads;
    private final JsonMapper mapper = RecordJson.mapper();

    AnswerController(RegionQueries store, QueryLimits limits, AnswerThreads threads) {
        this.store = store;
        this.regions = new KnownRegions(store);
        this.limits = limits;
        this.threads = threads;
    }

    /**
     * Returns records of a region. Rejects include their bytes, in hexadecimal digits, unless fields are selected.
     *
     * @param parameters {@code where}, a condition in the expression language; {@code select}, names of stored or
     *     virtual fields, by default all stored ones; {@code orderBy}, expressions, each optionally followed by
     *     {@code asc} or {@code desc}; {@code limit}, the maximum number of records; {@code onError}, {@code fail} or
     *     {@code skip} for records without a result; {@code timeout}; {@code format}
     */
    @GetMapping("/{region}/records")
    Mono<ResponseEntity<ChunkedBody>> records(
            @PathVariable String region,
            @RequestParam MultiValueMap<String, String> parameters,
            @RequestHeader HttpHeaders headers) {
        return answer(parameters, headers, QueryParameters::query, (request, query) -> {
            String known = regions.known(region);
            Schema schema = store.definition(known).schema();
            List<String> columns = columns(known, query);
            Duration timeout = request.timeout();
            boolean whole = query.select().isEmpty();
            if (whole && Reject.isStoredIn(store.definition(known))) {
                List<String> withBytes =
                        Stream.concat(columns.stream(), Stream.of(BYTES)).toList();
                return body(RECORDS, request, withBytes, store.find(known, query, timeout, AnswerController::reject));
            }
            if (whole && request.format() == AnswerFormat.JSON && CompactRecordJson.canWrite(schema)) {
                Answer<byte[]> rows =
                        store.find(known, query, timeout, records -> new CompactRecordJson(schema, records, mapper));
                return new AnswerBody(rows, out -> new JsonObjectWriter(mapper, RECORDS, out));
            }
            return body(RECORDS, request, columns, store.find(known, query, timeout));
        });
    }

    private AnswerBody body(
            String name, QueryParameters request, List<String> columns, Answer<Map<String, @Nullable Object>> answer) {
        return new AnswerBody(answer, out -> switch (request.format()) {
            case JSON -> new JsonRowWriter(mapper, name, out);
            case CSV -> new CsvRowWriter(mapper, columns, text -> text, out);
            case SPREADSHEET -> new CsvRowWriter(mapper, columns, CsvRowWriter::withoutFormula, out);
        });
    }

    private List<String> columns(String region, Query query) {
        return query.select().isEmpty()
                ? store.definition(region).schema().outerNames()
                : query.select().stream().distinct().toList();
    }

    private static StoredRecordReader<Map<String, @Nullable Object>> reject(StoredRecords records) {
        return (stored, from, to) -> {
            Map<String, @Nullable Object> row = new LinkedHashMap<>(records.decode(stored, from, to));
            row.put(
                    BYTES,
                    HexFormat.of().formatHex(Reject.decode(stored, from, to).bytes()));
            return row;
        };
    }

    /**
     * Returns aggregates over groups of a region's records.
     *
     * @param parameters {@code where}, {@code onError}, {@code timeout} and {@code format} as for records; {@code by},
     *     expressions that define the groups, by default one group of all records; {@code values}, which are count(),
     *     and sum, min, max and avg of an expression; {@code limit}, the maximum number of groups
     */
    @GetMapping("/{region}/aggregate")
    Mono<ResponseEntity<ChunkedBody>> aggregate(
            @PathVariable String region,
            @RequestParam MultiValueMap<String, String> parameters,
            @RequestHeader HttpHeaders headers) {
        return answer(parameters, headers, QueryParameters::aggregateQuery, (request, query) -> {
            String known = regions.known(region);
            List<String> columns = Stream.concat(query.by().stream(), query.values().stream())
                    .distinct()
                    .toList();
            return body("groups", request, columns, store.aggregates(known, query, request.timeout()));
        });
    }

    /**
     * Executes a query. One that is evidently invalid does not wait for its turn.
     *
     * @param read reads the query from the parameters
     */
    private <Q> Mono<ResponseEntity<ChunkedBody>> answer(
            MultiValueMap<String, String> parameters,
            HttpHeaders headers,
            Function<QueryParameters, Q> read,
            BiFunction<QueryParameters, Q, AnswerBody> execute) {
        AnswerFormat format = AnswerFormat.of(parameters.getFirst("format"), headers);
        QueryParameters request = new QueryParameters(parameters, format, limits);
        Q query = refusing(() -> read.apply(request));
        return threads.answer(format, () -> refusing(() -> execute.apply(request, query)))
                .onErrorMap(IncompleteAnswerException.class, IncompleteAnswers::skippable);
    }

    /** Returns an invalid query as an error of the client. */
    private static <T> T refusing(Supplier<T> execute) {
        try {
            return execute.get();
        } catch (IllegalArgumentException e) {
            throw new ApiException(ApiErrorCode.BAD_QUERY, String.valueOf(e.getMessage()));
        }
    }
}
