package io.millrace.web;

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

    /** These two are what a client gets as status 400 or 406. */
    private static void ignoring(Runnable parsing) {
        try {
            parsing.run();
        } catch (IllegalArgumentException | ApiException e) {
            // refused
        }
    }
}
