package io.millrace.web;

import io.millrace.expression.ExpressionException;
import io.millrace.store.QuestionTimeoutException;
import io.millrace.store.StoreException;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Turns what goes wrong in a request into problem details (RFC 9457): code, and for expressions position and hint. */
@RestControllerAdvice
class ApiErrors {

    @ExceptionHandler
    ProblemDetail request(ApiException e) {
        ProblemDetail problem = detail(e.status(), e.code(), e);
        e.details().forEach(problem::setProperty);
        return problem;
    }

    @ExceptionHandler
    ProblemDetail expression(ExpressionException e) {
        ProblemDetail problem = detail(400, e.code().code(), e);
        problem.setProperty("expression", e.expression());
        problem.setProperty("position", e.position());
        problem.setProperty("hint", e.hint());
        return problem;
    }

    @ExceptionHandler
    ProblemDetail timeout(QuestionTimeoutException e) {
        ProblemDetail problem = detail(504, "timeout", e);
        problem.setProperty("timeout", e.timeout().toString());
        problem.setProperty("scanned", e.counts().scanned());
        problem.setProperty("scannedBlocks", e.counts().scannedBlocks());
        problem.setProperty("skippedBlocks", e.counts().skippedBlocks());
        return problem;
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> busy(BusyException e) {
        return ResponseEntity.status(503)
                .header(HttpHeaders.RETRY_AFTER, String.valueOf(e.retryAfterSeconds()))
                .body(detail(503, "busy", e));
    }

    /** No thread is free for other requests either; see {@link Workers}. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> busy(RejectedExecutionException e) {
        return busy(new BusyException(1));
    }

    @ExceptionHandler
    ProblemDetail store(StoreException e) {
        return detail(503, "store", e);
    }

    private static ProblemDetail detail(int status, String code, RuntimeException e) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(
                HttpStatusCode.valueOf(status), Objects.requireNonNullElse(e.getMessage(), e.toString()));
        problem.setProperty("code", code);
        return problem;
    }
}
