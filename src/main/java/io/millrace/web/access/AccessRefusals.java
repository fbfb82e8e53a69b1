package io.millrace.web.access;

import io.millrace.web.ProblemResponse;
import java.net.URI;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.server.ServerAuthenticationEntryPoint;
import org.springframework.security.web.server.authorization.ServerAccessDeniedHandler;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Answers those who are not let in: a browser gets the page to sign in on, everyone else a problem detail. */
final class AccessRefusals implements ServerAuthenticationEntryPoint, ServerAccessDeniedHandler {

    static final String SIGN_IN_PAGE = "/sign-in.html";

    private final boolean basic;

    /** @param basic whether users have passwords, which clients can send with a request */
    AccessRefusals(boolean basic) {
        this.basic = basic;
    }

    @Override
    public Mono<Void> commence(ServerWebExchange exchange, AuthenticationException e) {
        ServerHttpResponse response = exchange.getResponse();
        if (e instanceof BusySignInException) {
            response.getHeaders().set(HttpHeaders.RETRY_AFTER, "1");
            return ProblemResponse.write(response, HttpStatus.SERVICE_UNAVAILABLE, "busy", BusySignInException.MESSAGE);
        }
        HttpHeaders headers = exchange.getRequest().getHeaders();
        if (basic && wantsPage(headers)) {
            response.setStatusCode(HttpStatus.SEE_OTHER);
            response.getHeaders().setLocation(URI.create(SIGN_IN_PAGE));
            return response.setComplete();
        }
        // A browser that is asked for a password by a script's request would open a window of its own, and keep it.
        if (!headers.containsHeader("X-Requested-With") && !accepts(headers, MediaType.TEXT_EVENT_STREAM)) {
            response.getHeaders().set(HttpHeaders.WWW_AUTHENTICATE, basic ? "Basic realm=\"millrace\"" : "Bearer");
        }
        boolean sent = headers.containsHeader(HttpHeaders.AUTHORIZATION);
        return ProblemResponse.write(
                response,
                HttpStatus.UNAUTHORIZED,
                basic ? "sign-in" : "token",
                sent
                        ? "The user, password or token is not valid."
                        : "Sign in: send a user and password, or a token, that this service knows.");
    }

    private static boolean wantsPage(HttpHeaders headers) {
        return accepts(headers, MediaType.TEXT_HTML);
    }

    /** Whether a type is the first that a client names. */
    private static boolean accepts(HttpHeaders headers, MediaType type) {
        try {
            List<MediaType> accepted = headers.getAccept();
            return !accepted.isEmpty()
                    && !accepted.getFirst().isWildcardType()
                    && accepted.getFirst().isCompatibleWith(type);
        } catch (InvalidMediaTypeException e) {
            return false;
        }
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, AccessDeniedException denied) {
        return ProblemResponse.write(
                exchange.getResponse(),
                HttpStatus.FORBIDDEN,
                "role",
                "Your role does not permit this request. Reading needs the role viewer, changes need operator, and"
                        + " changes by the actuator admin.");
    }
}
