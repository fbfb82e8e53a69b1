package io.millrace.web.request;

import java.nio.charset.StandardCharsets;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.json.ProblemDetailJacksonMixin;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Refuses a request in a filter with a problem detail (RFC 9457), as controllers do. Thread-safe. */
public final class ProblemResponse {

    private static final JsonMapper MAPPER = JsonMapper.shared()
            .rebuild()
            .addMixIn(ProblemDetail.class, ProblemDetailJacksonMixin.class)
            .build();

    private ProblemResponse() {}

    /**
     * Writes the problem detail.
     *
     * @param message for users
     */
    public static Mono<Void> write(ServerHttpResponse response, ApiErrorCode code, String message) {
        HttpStatusCode status = HttpStatusCode.valueOf(code.status());
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, message);
        problem.setProperty("code", code.code());
        response.setStatusCode(status);
        response.getHeaders().setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        byte[] body = MAPPER.writeValueAsString(problem).getBytes(StandardCharsets.UTF_8);
        return response.writeWith(Mono.just(response.bufferFactory().wrap(body)));
    }
}
