package io.millrace.web.access;

import java.net.URI;
import java.util.List;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.SecurityWebFiltersOrder;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimNames;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.authentication.RedirectServerAuthenticationFailureHandler;
import org.springframework.security.web.server.authentication.RedirectServerAuthenticationSuccessHandler;
import org.springframework.security.web.server.authentication.ServerAuthenticationFailureHandler;
import org.springframework.security.web.server.authentication.ServerAuthenticationSuccessHandler;
import org.springframework.security.web.server.authentication.logout.RedirectServerLogoutSuccessHandler;
import org.springframework.security.web.server.authentication.logout.WebSessionServerLogoutHandler;
import org.springframework.security.web.server.firewall.ServerWebExchangeFirewall;
import org.springframework.security.web.server.firewall.StrictServerWebExchangeFirewall;
import org.springframework.security.web.server.savedrequest.NoOpServerRequestCache;

/**
 * Lets in whom {@link AccessOptions} names, and those with a token of the issuer that Spring Boot's
 * {@code spring.security.oauth2.resourceserver} properties name.
 *
 * <p>There are no CSRF tokens: {@link io.millrace.web.SameSiteFilter} refuses changes from pages of other origins, and
 * the session's cookie is not sent with requests from other sites.
 */
@Configuration(proxyBeanMethods = false)
@EnableWebFluxSecurity
public class AccessConfiguration {

    private static final String VIEWER = AccessRole.VIEWER.word();

    /** What tells nothing, or is needed to sign in. */
    private static final String[] FOR_EVERYONE = {
        "/css/**", "/js/sign-in.js", "/js/theme.js", "/favicon.svg", AccessRefusals.SIGN_IN_PAGE,
    };

    /** Whether it lives, is ready and may be stopped, without details: orchestrators have no password. */
    private static final List<String> PROBES = List.of("/health/liveness", "/health/readiness", "/health/copies");

    /** What the actuator tells to everyone who may read; the rest of it, such as a heap dump, holds secrets. */
    private static final List<String> FIGURES =
            List.of("/health/**", "/info", "/metrics/**", "/prometheus", "/integrationgraph/**", "/sbom/**");

    @Bean
    PasswordCheck millracePasswordCheck(AccessOptions options) {
        return new PasswordCheck(options.users());
    }

    /**
     * Keys of entries stand in paths, with whatever characters they have. Paths with dot segments are refused still.
     */
    @Bean
    ServerWebExchangeFirewall millraceFirewall() {
        StrictServerWebExchangeFirewall firewall = new StrictServerWebExchangeFirewall();
        firewall.setAllowBackSlash(true);
        firewall.setAllowUrlEncodedSlash(true);
        firewall.setAllowUrlEncodedPercent(true);
        firewall.setAllowSemicolon(true);
        return firewall;
    }

    @Bean
    AuditLog millraceAuditLog() {
        return new AuditLog();
    }

    /** In addition to what Spring Boot checks: a token that does not expire is none. */
    @Bean
    OAuth2TokenValidator<Jwt> millraceTokensExpire() {
        return new JwtClaimValidator<>(JwtClaimNames.EXP, Objects::nonNull);
    }

    @Bean
    UserController millraceUserController() {
        return new UserController();
    }

    @Bean
    SecurityWebFilterChain millraceSecurity(
            ServerHttpSecurity http,
            AccessOptions options,
            PasswordCheck passwords,
            Environment environment,
            ObjectProvider<ReactiveJwtDecoder> tokens) {
        http.csrf(ServerHttpSecurity.CsrfSpec::disable)
                .requestCache(cache -> cache.requestCache(NoOpServerRequestCache.getInstance()))
                .addFilterAfter(AuditLog.userFilter(), SecurityWebFiltersOrder.SECURITY_CONTEXT_SERVER_WEB_EXCHANGE);
        authorize(http, environment.getProperty("management.endpoints.web.base-path", "/actuator"));
        ReactiveJwtDecoder decoder = tokens.getIfAvailable();
        if (options.open()) {
            http.anonymous(anonymous -> anonymous.authorities(Authorities.of(AccessRole.ADMIN)))
                    .httpBasic(ServerHttpSecurity.HttpBasicSpec::disable)
                    .formLogin(ServerHttpSecurity.FormLoginSpec::disable)
                    .logout(ServerHttpSecurity.LogoutSpec::disable);
            return http.build();
        }
        boolean basic = !options.users().isEmpty();
        AccessRefusals refusals = new AccessRefusals(basic);
        http.exceptionHandling(
                exceptions -> exceptions.authenticationEntryPoint(refusals).accessDeniedHandler(refusals));
        if (basic) {
            http.authenticationManager(passwords)
                    .httpBasic(spec -> spec.authenticationEntryPoint(refusals))
                    .formLogin(AccessConfiguration::signIn)
                    .logout(AccessConfiguration::signOut);
        } else {
            http.httpBasic(ServerHttpSecurity.HttpBasicSpec::disable)
                    .formLogin(ServerHttpSecurity.FormLoginSpec::disable)
                    .logout(ServerHttpSecurity.LogoutSpec::disable);
        }
        if (decoder != null) {
            http.oauth2ResourceServer(server -> server.authenticationEntryPoint(refusals)
                    .jwt(jwt ->
                            jwt.jwtDecoder(decoder).jwtAuthenticationConverter(new TokenRoles(options.rolesClaim()))));
        }
        return http.build();
    }

    private static void authorize(ServerHttpSecurity http, String actuator) {
        http.authorizeExchange(exchanges -> exchanges
                .pathMatchers(HttpMethod.GET, FOR_EVERYONE)
                .permitAll()
                .pathMatchers(HttpMethod.POST, AccessRefusals.SIGN_IN_PAGE)
                .permitAll()
                .pathMatchers(HttpMethod.GET, under(actuator, PROBES))
                .permitAll()
                .pathMatchers(HttpMethod.GET, under(actuator, FIGURES))
                .hasAuthority(VIEWER)
                .pathMatchers(actuator, actuator + "/**")
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

    private static String[] under(String actuator, List<String> paths) {
        return paths.stream().map(path -> actuator + path).toArray(String[]::new);
    }

    private static void signIn(ServerHttpSecurity.FormLoginSpec form) {
        ServerAuthenticationSuccessHandler toThePage = new RedirectServerAuthenticationSuccessHandler("/");
        ServerAuthenticationFailureHandler refused =
                new RedirectServerAuthenticationFailureHandler(AccessRefusals.SIGN_IN_PAGE + "?refused");
        ServerAuthenticationFailureHandler busy =
                new RedirectServerAuthenticationFailureHandler(AccessRefusals.SIGN_IN_PAGE + "?busy");
        form.loginPage(AccessRefusals.SIGN_IN_PAGE)
                .authenticationSuccessHandler((exchange, user) -> {
                    AuditLog.noteUser(exchange.getExchange(), user.getName());
                    return toThePage.onAuthenticationSuccess(exchange, user);
                })
                .authenticationFailureHandler((exchange, e) -> {
                    AuditLog.noteRefused(exchange.getExchange());
                    return (e instanceof BusySignInException ? busy : refused).onAuthenticationFailure(exchange, e);
                });
    }

    private static void signOut(ServerHttpSecurity.LogoutSpec logout) {
        RedirectServerLogoutSuccessHandler toSignIn = new RedirectServerLogoutSuccessHandler();
        toSignIn.setLogoutSuccessUrl(URI.create(AccessRefusals.SIGN_IN_PAGE));
        // Spring Security's own handler would store a session without a user, for anyone who asks.
        logout.logoutUrl("/sign-out")
                .logoutHandler(new WebSessionServerLogoutHandler())
                .logoutSuccessHandler(toSignIn);
    }
}
