package io.millrace.web.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.web.request.ApiException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;

/** Gives tests of other packages the reading of a query's parameters. */
public final class QueryInputs {

    private static final QueryLimits LIMITS =
            new QueryLimits(10_000, Duration.ofSeconds(60), Duration.ofMinutes(10), 8, 64, Duration.ofSeconds(60));

    private QueryInputs() {}

    /** Reads one text as each of the parameters, and as the header {@code Accept}. */
    public static void parse(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        for (String name : List.of("select", "orderBy", "by", "values", "limit", "timeout")) {
            MultiValueMap<String, String> parameters = new LinkedMultiValueMap<>();
            parameters.add(name, text);
            QueryParameters query = new QueryParameters(parameters, AnswerFormat.JSON, LIMITS);
            ignoring(query::query);
            ignoring(query::aggregateQuery);
            ignoring(query::timeout);
        }
        HttpHeaders headers = new HttpHeaders();
        headers.set(HttpHeaders.ACCEPT, text);
        ignoring(() -> AnswerFormat.of(null, headers));
        ignoring(() -> AnswerFormat.of(text, headers));
    }

    /** Reads all parameters of a query for records, or of one for aggregates. */
    public static void query(MultiValueMap<String, String> parameters, boolean isForRecords, QueryLimits limits) {
        QueryParameters query = new QueryParameters(parameters, AnswerFormat.JSON, limits);
        assertThat(isForRecords ? query.query() : query.aggregateQuery()).isNotNull();
        assertThat(query.timeout()).isPositive();
    }

    /** These two are what a client gets as status 400 or 406. */
    private static void ignoring(Runnable parsing) {
        try {
            parsing.run();
        } catch (IllegalArgumentException | ApiException e) {
            // refused
        }
    }
}
