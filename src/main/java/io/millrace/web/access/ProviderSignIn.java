package io.millrace.web.access;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.config.web.server.SecurityWebFiltersOrder;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.endpoint.WebClientReactiveAuthorizationCodeTokenResponseClient;
import org.springframework.security.oauth2.client.oidc.authentication.OidcAuthorizationCodeReactiveAuthenticationManager;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcReactiveOAuth2UserService;
import org.springframework.security.oauth2.client.web.server.DefaultServerOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.server.ServerOAuth2AuthorizedClientRepository;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.oidc.user.OidcUserAuthority;
import org.springframework.security.web.server.DefaultServerRedirectStrategy;
import org.springframework.security.web.server.WebFilterExchange;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Authenticates users by the identity provider that their browser was sent to (OpenID Connect Core 1.0, section 3.1).
 * Thread-safe.
 */
final class ProviderSignIn implements ReactiveAuthenticationManager {

    /** Time limit of all requests to the provider together. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final DefaultServerRedirectStrategy REDIRECT = new DefaultServerRedirectStrategy();

    private final OidcAuthorizationCodeReactiveAuthenticationManager manager;

    private ProviderSignIn(ClaimRoles roles) {
        this.manager = new OidcAuthorizationCodeReactiveAuthenticationManager(
                new WebClientReactiveAuthorizationCodeTokenResponseClient(), new OidcReactiveOAuth2UserService());
        manager.setAuthoritiesMapper(authorities -> authorities.stream()
                .filter(OidcUserAuthority.class::isInstance)
                .findFirst()
                .<List<GrantedAuthority>>map(user -> roles.of(((OidcUserAuthority) user).getAttributes()))
                .orElse(List.of()));
    }

    /** @param cookie name of the cookie that stores the sign-in that a browser has started */
    static void configure(
            ServerHttpSecurity http,
            IdentityProviders providers,
            ClaimRoles roles,
            SessionLimit sessions,
            String cookie) {
        DefaultServerOAuth2AuthorizationRequestResolver resolver =
                new DefaultServerOAuth2AuthorizationRequestResolver(providers);
        AuthorizationRequestCookie started = new AuthorizationRequestCookie(cookie, resolver);
        http.oauth2Login(login -> login.clientRegistrationRepository(providers)
                .authorizationRequestResolver(resolver)
                .authorizationRequestRepository(started)
                .authenticationConverter(new ProviderResponses(providers, started))
                .authorizedClientRepository(new NoAuthorizedClients())
                .authenticationManager(new ProviderSignIn(roles))
                .authenticationSuccessHandler((exchange, user) ->
                        sessions.onAuthenticationSuccess(exchange, user).then(succeed(exchange, user)))
                .authenticationFailureHandler((exchange, e) -> fail(exchange.getExchange(), e)));
        http.addFilterBefore(
                (exchange, chain) -> chain.filter(exchange)
                        .onErrorResume(UnreachableProviderException.class, e -> fail(exchange, e)),
                SecurityWebFiltersOrder.HTTP_BASIC);
    }

    @Override
    public Mono<Authentication> authenticate(Authentication authentication) {
        return manager.authenticate(authentication)
                .timeout(TIMEOUT)
                .onErrorMap(e -> !(e instanceof AuthenticationException), UnreachableProviderException::new)
                .flatMap(user -> user.getAuthorities().isEmpty()
                        ? Mono.error(new NoRoleException(user.getName()))
                        : Mono.just(user));
    }

    /**
     * Redirects to the page that continues the sign-in. The browser comes from another site, so a redirect to {@code /}
     * would lack the session's cookie, which is {@code SameSite=Strict}.
     */
    private static Mono<Void> succeed(WebFilterExchange exchange, Authentication user) {
        AuditLog.noteSignedIn(exchange.getExchange(), user.getName());
        return redirect(exchange.getExchange(), "signed-in");
    }

    private static Mono<Void> fail(ServerWebExchange exchange, AuthenticationException e) {
        return switch (e) {
            case NoRoleException noRole -> {
                AuditLog.noteUser(exchange, noRole.user());
                AuditLog.noteRefused(exchange, "no-role");
                yield redirect(exchange, "no-role");
            }
            case OAuth2AuthenticationException refused -> {
                String code = refused.getError().getErrorCode();
                AuditLog.noteRefused(exchange, code);
                yield redirect(exchange, code.equals(ProviderResponses.OTHER_ISSUER) ? code : "not-authenticated");
            }
            default -> {
                AuditLog.noteRefused(
                        exchange, e.getCause() instanceof TimeoutException ? "provider-timeout" : "provider-failed");
                yield redirect(exchange, "provider");
            }
        };
    }

    private static Mono<Void> redirect(ServerWebExchange exchange, String result) {
        return REDIRECT.sendRedirect(exchange, URI.create(AccessRefusals.SIGN_IN_PAGE + "?" + result));
    }

    /** Stores no tokens: Millrace sends no requests on behalf of users. */
    private static final class NoAuthorizedClients implements ServerOAuth2AuthorizedClientRepository {

        @Override
        public <T extends OAuth2AuthorizedClient> Mono<T> loadAuthorizedClient(
                String registration, Authentication user, ServerWebExchange exchange) {
            return Mono.empty();
        }

        @Override
        public Mono<Void> saveAuthorizedClient(
                OAuth2AuthorizedClient client, Authentication user, ServerWebExchange exchange) {
            return Mono.empty();
        }

        @Override
        public Mono<Void> removeAuthorizedClient(String registration, Authentication user, ServerWebExchange exchange) {
            return Mono.empty();
        }
    }
}
