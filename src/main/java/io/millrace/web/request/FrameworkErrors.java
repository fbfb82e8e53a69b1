package io.millrace.web.request;

import io.netty.channel.ChannelException;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.reactive.result.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.DisconnectedClientHelper;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerResponse;

/**
 * Adds a code to the problem details of requests that the framework refuses before or instead of a controller: the name
 * of the status, such as {@code method-not-allowed}. Takes precedence over Spring Boot's handler, which is ordered 0.
 */
@RestControllerAdvice
@Order(-1)
public class FrameworkErrors extends ResponseEntityExceptionHandler {

    private static final String CODE = "code";

    @Override
    protected Mono<ResponseEntity<Object>> createResponseEntity(
            @Nullable Object body, @Nullable HttpHeaders headers, HttpStatusCode status, ServerWebExchange exchange) {
        if (isSent(exchange.getResponse())) {
            return Mono.empty();
        }
        if (!(body instanceof ProblemDetail problem)) {
            return super.createResponseEntity(body, headers, status, exchange);
        }
        if (!hasCode(problem.getProperties())) {
            problem.setProperty(CODE, code(status));
        }
        HttpHeaders problemHeaders = new HttpHeaders();
        if (headers != null) {
            problemHeaders.putAll(headers);
        }
        // Otherwise a client that accepts none of this service's types would get no body.
        problemHeaders.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        return super.createResponseEntity(problem, problemHeaders, status, exchange);
    }

    /**
     * Handles a body that did not arrive in time, or whose connection was closed. The response to a closed connection
     * only prevents an error in the log.
     */
    @ExceptionHandler({ChannelException.class, IOException.class})
    Mono<ResponseEntity<Object>> incomplete(Exception e, ServerWebExchange exchange) {
        if (e instanceof IOException && !DisconnectedClientHelper.isClientDisconnectedException(e)) {
            return Mono.error(e);
        }
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(
                HttpStatus.REQUEST_TIMEOUT, "The body of the request did not arrive in time.");
        HttpHeaders headers = new HttpHeaders();
        headers.setConnection("close");
        return createResponseEntity(problem, headers, HttpStatus.REQUEST_TIMEOUT, exchange);
    }

    /** Returns whether the HTTP server has itself refused the request, whose body is malformed. */
    private static boolean isSent(ServerHttpResponse response) {
        return ServerHttpResponseDecorator.getNativeResponse(response) instanceof HttpServerResponse netty
                && netty.hasSentHeaders();
    }

    private static boolean hasCode(@Nullable Map<String, Object> properties) {
        return properties != null && properties.containsKey(CODE);
    }

    private static String code(HttpStatusCode code) {
        HttpStatus status = HttpStatus.resolve(code.value());
        return status == null
                ? "refused"
                : status.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
