package io.millrace.web.access;

import io.millrace.web.request.ApiErrorCode;
import io.millrace.web.request.ProblemResponse;
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

/**
 * Responds to refused requests: redirects browsers to the page to sign in on, and returns problem details to others.
 */
final class AccessRefusals implements ServerAuthenticationEntryPoint, ServerAccessDeniedHandler {

    static final String SIGN_IN_PAGE = "/sign-in.html";

    private final boolean basic;
    private final boolean page;

    /**
     * @param basic whether users have passwords, which clients can send with a request
     * @param page whether users can sign in on the page
     */
    AccessRefusals(boolean basic, boolean page) {
        this.basic = basic;
        this.page = page;
    }

    @Override
    public Mono<Void> commence(ServerWebExchange exchange, AuthenticationException e) {
        ServerHttpResponse response = exchange.getResponse();
        if (e instanceof BusySignInException) {
            response.getHeaders().set(HttpHeaders.RETRY_AFTER, "1");
            return ProblemResponse.write(response, ApiErrorCode.BUSY, BusySignInException.MESSAGE);
        }
        if (e instanceof UnreachableProviderException) {
            response.getHeaders().set(HttpHeaders.RETRY_AFTER, String.valueOf(IssuerRequests.INTERVAL.toSeconds()));
            return ProblemResponse.write(
                    response, ApiErrorCode.ISSUER, "The token can't be checked: its issuer does not respond.");
        }
        HttpHeaders headers = exchange.getRequest().getHeaders();
        if (page && accepts(headers, MediaType.TEXT_HTML)) {
            response.setStatusCode(HttpStatus.SEE_OTHER);
            response.getHeaders().setLocation(URI.create(SIGN_IN_PAGE));
            return response.setComplete();
        }
        // For a script's request, a browser would open a dialog of its own, and store the password.
        if (!headers.containsHeader("X-Requested-With") && !accepts(headers, MediaType.TEXT_EVENT_STREAM)) {
            response.getHeaders().set(HttpHeaders.WWW_AUTHENTICATE, basic ? "Basic realm=\"millrace\"" : "Bearer");
        }
        boolean sent = headers.containsHeader(HttpHeaders.AUTHORIZATION);
        return ProblemResponse.write(
                response,
                page ? ApiErrorCode.SIGN_IN : ApiErrorCode.TOKEN,
                sent
                        ? "The user, password or token is not valid."
                        : "Authentication is required. Send a user and password, or a token.");
    }

    /** Returns whether a media type is the first of the accepted ones. */
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
                ApiErrorCode.ROLE,
                "Your role does not permit this request. Reading requires the role viewer, changes require operator,"
                        + " and some endpoints of the actuator require admin.");
    }
}
