package io.millrace.web.access;

import io.millrace.web.request.ApiErrorCode;
import io.millrace.web.request.ProblemResponse;
import io.millrace.web.request.RequestCheck;
import java.net.URI;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.security.oauth2.client.autoconfigure.OAuth2ClientProperties;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.reactive.JwkSetUriReactiveJwtDecoderBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.SecurityWebFiltersOrder;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimNames;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtTypeValidator;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.authentication.RedirectServerAuthenticationFailureHandler;
import org.springframework.security.web.server.authentication.RedirectServerAuthenticationSuccessHandler;
import org.springframework.security.web.server.authentication.ServerAuthenticationFailureHandler;
import org.springframework.security.web.server.authentication.ServerAuthenticationSuccessHandler;
import org.springframework.security.web.server.authentication.logout.RedirectServerLogoutSuccessHandler;
import org.springframework.security.web.server.authentication.logout.WebSessionServerLogoutHandler;
import org.springframework.security.web.server.firewall.ServerExchangeRejectedHandler;
import org.springframework.security.web.server.firewall.ServerWebExchangeFirewall;
import org.springframework.security.web.server.firewall.StrictServerWebExchangeFirewall;
import org.springframework.security.web.server.savedrequest.NoOpServerRequestCache;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.server.session.DefaultWebSessionManager;
import org.springframework.web.server.session.InMemoryWebSessionStore;
import org.springframework.web.server.session.WebSessionManager;
import reactor.core.publisher.Mono;

/**
 * Authenticates the users of {@link AccessOptions}, users of the identity providers and bearers of tokens of the issuer
 * that Spring Boot's {@code spring.security.oauth2.client} and {@code resourceserver} properties name.
 *
 * <p>There are no CSRF tokens: {@link io.millrace.web.request.SameSiteFilter} refuses changes from pages of other
 * origins, and the session's cookie is not sent with requests from other sites.
 */
@Configuration(proxyBeanMethods = false)
@EnableWebFluxSecurity
public class AccessConfiguration {

    private static final String VIEWER = AccessRole.VIEWER.word();

    /** Files without data, which the sign-in page needs. */
    private static final String[] FOR_EVERYONE = {
        "/css/**", "/js/sign-in.js", "/js/theme.js", "/favicon.svg", AccessRefusals.SIGN_IN_PAGE,
    };

    @Bean
    PasswordAuthenticationManager millracePasswordAuthenticationManager(AccessOptions options) {
        return new PasswordAuthenticationManager(options.users());
    }

    /** Permits paths with any character that a key of an entry may have. Paths with dot segments are still refused. */
    @Bean
    ServerWebExchangeFirewall millraceFirewall() {
        StrictServerWebExchangeFirewall firewall = new StrictServerWebExchangeFirewall();
        firewall.setAllowBackSlash(true);
        firewall.setAllowUrlEncodedSlash(true);
        firewall.setAllowUrlEncodedPercent(true);
        firewall.setAllowSemicolon(true);
        return firewall;
    }

    /**
     * Returns the firewall's refusals as problem details: of methods such as {@code TRACE} and paths with control
     * characters.
     */
    @Bean
    ServerExchangeRejectedHandler millraceRejectedRequests() {
        return (exchange, e) -> ProblemResponse.write(
                exchange.getResponse(),
                ApiErrorCode.BAD_REQUEST,
                "The method or the path of the request is not allowed.");
    }

    @Bean
    RequestCheck millraceRequestCheck() {
        return new RequestCheck();
    }

    @Bean
    AuditLog millraceAuditLog() {
        AuditLevel.install();
        return new AuditLog(System::nanoTime);
    }

    /**
     * Requires tokens to have an expiry. Spring Boot adds it to its own validators, which accept tokens without one.
     */
    @Bean
    OAuth2TokenValidator<Jwt> millraceTokensExpire() {
        return new JwtClaimValidator<>(JwtClaimNames.EXP, Objects::nonNull);
    }

    /**
     * Accepts access tokens that state their type (RFC 9068, section 2.1) in addition to those without one. Spring
     * Boot's own validators would refuse them.
     */
    @Bean
    JwtTypeValidator millraceTypesOfTokens() {
        JwtTypeValidator types = new JwtTypeValidator("at+jwt", "application/at+jwt", "JWT");
        types.setAllowEmpty(true);
        return types;
    }

    @Bean
    JwkSetUriReactiveJwtDecoderBuilderCustomizer millraceIssuerRequests() {
        WebClient client = WebClient.builder().filter(new IssuerRequests()).build();
        return decoder -> decoder.webClient(client);
    }

    @Bean
    UserController millraceUserController() {
        return new UserController();
    }

    /** Replaces Spring Boot's repository. */
    @Bean
    IdentityProviders millraceIdentityProviders(AccessOptions valid, Environment environment) {
        return new IdentityProviders(
                Binder.get(environment).bindOrCreate("spring.security.oauth2.client", OAuth2ClientProperties.class));
    }

    @Bean
    SignInController millraceSignInController(AccessOptions options, IdentityProviders providers) {
        return new SignInController(options, providers);
    }

    @Bean
    SessionLimit millraceSessionLimit(WebSessionManager sessions) {
        return new SessionLimit((InMemoryWebSessionStore) ((DefaultWebSessionManager) sessions).getSessionStore());
    }

    @Bean
    SecurityWebFilterChain millraceSecurity(
            ServerHttpSecurity http,
            AccessOptions options,
            PasswordAuthenticationManager passwords,
            IdentityProviders providers,
            SessionLimit sessions,
            Environment environment,
            ObjectProvider<ReactiveJwtDecoder> tokens) {
        http.csrf(ServerHttpSecurity.CsrfSpec::disable)
                // Other services on subdomains of the host may have no TLS.
                .headers(headers -> headers.hsts(hsts -> hsts.includeSubdomains(false)))
                .requestCache(cache -> cache.requestCache(NoOpServerRequestCache.getInstance()))
                .httpBasic(ServerHttpSecurity.HttpBasicSpec::disable)
                .formLogin(ServerHttpSecurity.FormLoginSpec::disable)
                .logout(ServerHttpSecurity.LogoutSpec::disable)
                .addFilterAfter(AuditLog.userFilter(), SecurityWebFiltersOrder.SECURITY_CONTEXT_SERVER_WEB_EXCHANGE);
        authorize(http, environment.resolvePlaceholders(SignInController.PATH));
        if (options.open()) {
            return http.anonymous(anonymous -> anonymous.authorities(Authorities.of(AccessRole.ADMIN)))
                    .build();
        }
        boolean basic = options.hasPasswords();
        boolean oidc = !providers.links().isEmpty();
        ClaimRoles roles = new ClaimRoles(options.rolesClaim());
        AccessRefusals refusals = new AccessRefusals(basic, basic || oidc);
        http.exceptionHandling(
                exceptions -> exceptions.authenticationEntryPoint(refusals).accessDeniedHandler(refusals));
        if (basic) {
            http.authenticationManager(passwords)
                    .httpBasic(spec -> spec.authenticationEntryPoint(refusals))
                    .formLogin(form -> signIn(form, sessions));
        }
        if (oidc) {
            String session = environment.getProperty("server.reactive.session.cookie.name", "millrace");
            ProviderSignIn.configure(http, providers, roles, sessions, session + "-sign-in");
        }
        if (basic || oidc) {
            http.logout(AccessConfiguration::signOut);
        }
        if (options.hasCertificates()) {
            CertificateUsers certificates = new CertificateUsers(options.users());
            http.x509(x509 -> x509.serverAuthenticationConverter(certificates).authenticationManager(certificates));
        }
        tokens.ifAvailable(decoder -> http.oauth2ResourceServer(server -> server.authenticationEntryPoint(refusals)
                .jwt(jwt -> jwt.jwtDecoder(token -> decoder.decode(token)
                                .onErrorMap(e -> !(e instanceof BadJwtException), UnreachableProviderException::new))
                        .jwtAuthenticationConverter(
                                token -> Mono.just(new JwtAuthenticationToken(token, roles.of(token.getClaims())))))));
        return http.build();
    }

    private static void authorize(ServerHttpSecurity http, String signIn) {
        http.authorizeExchange(exchanges -> exchanges
                .pathMatchers(HttpMethod.GET, FOR_EVERYONE)
                .permitAll()
                .pathMatchers(HttpMethod.GET, signIn)
                .permitAll()
                .pathMatchers(HttpMethod.POST, AccessRefusals.SIGN_IN_PAGE)
                .permitAll()
                .matchers(ActuatorRequests.probes())
                .permitAll()
                .matchers(ActuatorRequests.forViewers())
                .hasAuthority(VIEWER)
                .matchers(ActuatorRequests.all())
                .hasAuthority(AccessRole.ADMIN.word())
                .pathMatchers(HttpMethod.GET)
                .hasAuthority(VIEWER)
                .pathMatchers(HttpMethod.HEAD)
                .hasAuthority(VIEWER)
                .pathMatchers(HttpMethod.OPTIONS)
                .hasAuthority(VIEWER)
                .anyExchange()
                .hasAuthority(AccessRole.OPERATOR.word()));
    }

    private static void signIn(ServerHttpSecurity.FormLoginSpec form, SessionLimit sessions) {
        ServerAuthenticationSuccessHandler toThePage = new RedirectServerAuthenticationSuccessHandler("/");
        ServerAuthenticationFailureHandler refused =
                new RedirectServerAuthenticationFailureHandler(AccessRefusals.SIGN_IN_PAGE + "?refused");
        ServerAuthenticationFailureHandler busy =
                new RedirectServerAuthenticationFailureHandler(AccessRefusals.SIGN_IN_PAGE + "?busy");
        form.loginPage(AccessRefusals.SIGN_IN_PAGE)
                .authenticationSuccessHandler((exchange, user) -> {
                    AuditLog.noteSignedIn(exchange.getExchange(), user.getName());
                    return sessions.onAuthenticationSuccess(exchange, user)
                            .then(toThePage.onAuthenticationSuccess(exchange, user));
                })
                .authenticationFailureHandler((exchange, e) -> {
                    boolean waiting = e instanceof BusySignInException;
                    AuditLog.noteRefused(exchange.getExchange(), waiting ? "busy" : "password");
                    return (waiting ? busy : refused).onAuthenticationFailure(exchange, e);
                });
    }

    private static void signOut(ServerHttpSecurity.LogoutSpec logout) {
        RedirectServerLogoutSuccessHandler toSignIn = new RedirectServerLogoutSuccessHandler();
        toSignIn.setLogoutSuccessUrl(URI.create(AccessRefusals.SIGN_IN_PAGE));
        // Spring Security's own handler would store a session without a user for any request.
        logout.logoutUrl("/sign-out")
                .logoutHandler(new WebSessionServerLogoutHandler())
                .logoutSuccessHandler(toSignIn);
    }
}
