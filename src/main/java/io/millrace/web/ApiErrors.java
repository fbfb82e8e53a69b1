package io.millrace.web;

import io.millrace.expression.error.ExpressionException;
import io.millrace.store.error.StoreException;
import io.millrace.store.query.QueryTimeoutException;
import io.millrace.web.request.ApiErrorCode;
import io.millrace.web.request.ApiException;
import io.millrace.web.request.BusyException;
import io.millrace.web.request.FrameworkErrors;
import io.millrace.web.request.Workers;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Returns errors of requests as problem details (RFC 9457) with a code and, for expressions, position and hint. An
 * application's own controllers are not affected. Comes before {@link FrameworkErrors}, which would handle the cause of
 * an error of the store, such as a lost connection.
 */
@RestControllerAdvice("io.millrace.web")
@Order(-2)
class ApiErrors {

    private static final int RETRY_AFTER_SECONDS = 1;

    @ExceptionHandler
    ResponseEntity<ProblemDetail> request(ApiException e) {
        ProblemDetail problem = detail(e.code(), e);
        e.details().forEach(problem::setProperty);
        return e.code().status() == 503 ? unavailable(problem, RETRY_AFTER_SECONDS) : response(problem);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> expression(ExpressionException e) {
        ProblemDetail problem = detail(400, e.code().code(), e);
        problem.setProperty("expression", e.expression());
        problem.setProperty("position", e.position());
        problem.setProperty("hint", e.hint());
        return response(problem);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> timeout(QueryTimeoutException e) {
        ProblemDetail problem = detail(ApiErrorCode.TIMEOUT, e);
        problem.setProperty("timeout", e.timeout().toString());
        problem.setProperty("scanned", e.counts().scanned());
        problem.setProperty("scannedBlocks", e.counts().scannedBlocks());
        problem.setProperty("skippedBlocks", e.counts().skippedBlocks());
        return response(problem);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> busy(BusyException e) {
        return unavailable(detail(ApiErrorCode.BUSY, e), e.retryAfterSeconds());
    }

    /** Handles a full queue of the threads for other requests; see {@link Workers}. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> busy(RejectedExecutionException e) {
        return busy(new BusyException("Too many requests at a time. Repeat the request later.", RETRY_AFTER_SECONDS));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> store(StoreException e) {
        return unavailable(detail(ApiErrorCode.STORE, e), RETRY_AFTER_SECONDS);
    }

    private static ResponseEntity<ProblemDetail> unavailable(ProblemDetail problem, int retryAfterSeconds) {
        return ResponseEntity.status(503)
                .header(HttpHeaders.RETRY_AFTER, String.valueOf(retryAfterSeconds))
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(problem);
    }

    /** Sets the content type, so that a client that accepts none of this service's types still gets the problem. */
    private static ResponseEntity<ProblemDetail> response(ProblemDetail problem) {
        return ResponseEntity.status(problem.getStatus())
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(problem);
    }

    private static ProblemDetail detail(ApiErrorCode code, RuntimeException e) {
        return detail(code.status(), code.code(), e);
    }

    private static ProblemDetail detail(int status, String code, RuntimeException e) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(
                HttpStatusCode.valueOf(status), Objects.requireNonNullElse(e.getMessage(), e.toString()));
        problem.setProperty("code", code);
        return problem;
    }
}
