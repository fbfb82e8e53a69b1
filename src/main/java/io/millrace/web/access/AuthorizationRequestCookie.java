package io.millrace.web.access;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;
import org.springframework.http.HttpCookie;
import org.springframework.http.ResponseCookie;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.security.oauth2.client.web.server.ServerAuthorizationRequestRepository;
import org.springframework.security.oauth2.client.web.server.ServerOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;
import org.springframework.security.oauth2.core.endpoint.PkceParameterNames;
import org.springframework.security.oauth2.core.oidc.endpoint.OidcParameterNames;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Stores the state that binds a sign-in at an identity provider to a browser in a cookie of that browser:
 * {@code STATE.NONCE.VERIFIER.REGISTRATION}. The rest of the authorization request follows from the registration.
 * Sign-ins that anyone starts therefore take no memory. The cookie is {@code SameSite=Lax}, as the provider's redirect
 * comes from another site. It is not signed: state, nonce and verifier (PKCE) protect the browser that has the cookie,
 * and anyone can obtain a signed cookie for themselves. Stateless.
 */
final class AuthorizationRequestCookie implements ServerAuthorizationRequestRepository<OAuth2AuthorizationRequest> {

    /** Path to which providers redirect, followed by the registration. */
    static final String RETURN_PATH = "/login/oauth2/code/";

    private static final Duration VALID = Duration.ofMinutes(10);
    private static final int PARTS = 4;

    private final String name;
    private final ServerOAuth2AuthorizationRequestResolver resolver;

    AuthorizationRequestCookie(String name, ServerOAuth2AuthorizationRequestResolver resolver) {
        this.name = name;
        this.resolver = resolver;
    }

    @Override
    public Mono<Void> saveAuthorizationRequest(OAuth2AuthorizationRequest request, ServerWebExchange exchange) {
        String value = String.join(
                ".",
                Objects.requireNonNull(request.getState()),
                request.<String>getAttribute(OidcParameterNames.NONCE),
                request.<String>getAttribute(PkceParameterNames.CODE_VERIFIER),
                encoded(request.getAttribute(OAuth2ParameterNames.REGISTRATION_ID)));
        return Mono.fromRunnable(() -> exchange.getResponse().addCookie(cookie(exchange, value, VALID)));
    }

    @Override
    public Mono<OAuth2AuthorizationRequest> loadAuthorizationRequest(ServerWebExchange exchange) {
        ServerHttpRequest request = exchange.getRequest();
        HttpCookie cookie = request.getCookies().getFirst(name);
        String[] parts = cookie == null ? new String[0] : cookie.getValue().split("\\.", -1);
        String path = request.getPath().pathWithinApplication().value();
        if (parts.length != PARTS
                || !parts[0].equals(request.getQueryParams().getFirst(OAuth2ParameterNames.STATE))
                || !path.startsWith(RETURN_PATH)) {
            return Mono.empty();
        }
        String registration = path.substring(RETURN_PATH.length());
        if (!parts[3].equals(encoded(registration))) {
            return Mono.empty();
        }
        return resolver.resolve(exchange, registration)
                .map(equal -> OAuth2AuthorizationRequest.from(equal)
                        .state(parts[0])
                        .attributes(attributes -> {
                            attributes.put(OidcParameterNames.NONCE, parts[1]);
                            attributes.put(PkceParameterNames.CODE_VERIFIER, parts[2]);
                        })
                        .build());
    }

    @Override
    public Mono<OAuth2AuthorizationRequest> removeAuthorizationRequest(ServerWebExchange exchange) {
        return loadAuthorizationRequest(exchange)
                .doOnNext(found -> exchange.getResponse().addCookie(cookie(exchange, "", Duration.ZERO)));
    }

    private ResponseCookie cookie(ServerWebExchange exchange, String value, Duration valid) {
        return ResponseCookie.from(name, value)
                .path(RETURN_PATH)
                .maxAge(valid)
                .httpOnly(true)
                .secure("https".equalsIgnoreCase(exchange.getRequest().getURI().getScheme()))
                .sameSite("Lax")
                .build();
    }

    private static String encoded(String registration) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(registration.getBytes(StandardCharsets.UTF_8));
    }
}
