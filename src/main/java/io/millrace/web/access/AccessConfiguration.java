package io.millrace.web.access;

import java.net.URI;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.SecurityWebFiltersOrder;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.authentication.RedirectServerAuthenticationFailureHandler;
import org.springframework.security.web.server.authentication.RedirectServerAuthenticationSuccessHandler;
import org.springframework.security.web.server.authentication.logout.RedirectServerLogoutSuccessHandler;
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
    private static final String[] PROBES = {
        "/actuator/health/liveness", "/actuator/health/readiness", "/actuator/health/copies",
    };

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

    @Bean
    UserController millraceUserController() {
        return new UserController();
    }

    @Bean
    SecurityWebFilterChain millraceSecurity(
            ServerHttpSecurity http,
            AccessOptions options,
            PasswordCheck passwords,
            ObjectProvider<ReactiveJwtDecoder> tokens) {
        http.csrf(ServerHttpSecurity.CsrfSpec::disable)
                // The page's files may be kept if they have not changed; answers of the API say for themselves.
                .headers(headers -> headers.cache(ServerHttpSecurity.HeaderSpec.CacheSpec::disable))
                .requestCache(cache -> cache.requestCache(NoOpServerRequestCache.getInstance()))
                .addFilterAfter(AuditLog.userFilter(), SecurityWebFiltersOrder.SECURITY_CONTEXT_SERVER_WEB_EXCHANGE);
        authorize(http);
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
                    .formLogin(ServerHttpSecurity.FormLoginSpec::disable);
        }
        if (decoder != null) {
            http.oauth2ResourceServer(server -> server.authenticationEntryPoint(refusals)
                    .jwt(jwt ->
                            jwt.jwtDecoder(decoder).jwtAuthenticationConverter(new TokenRoles(options.rolesClaim()))));
        }
        return http.build();
    }

    private static void authorize(ServerHttpSecurity http) {
        http.authorizeExchange(exchanges -> exchanges
                .pathMatchers(HttpMethod.GET, FOR_EVERYONE)
                .permitAll()
                .pathMatchers(HttpMethod.POST, AccessRefusals.SIGN_IN_PAGE)
                .permitAll()
                .pathMatchers(HttpMethod.GET, PROBES)
                .permitAll()
                .pathMatchers(HttpMethod.GET)
                .hasAuthority(VIEWER)
                .pathMatchers(HttpMethod.HEAD)
                .hasAuthority(VIEWER)
                .pathMatchers(HttpMethod.OPTIONS)
                .hasAuthority(VIEWER)
                .pathMatchers("/actuator/**")
                .hasAuthority(AccessRole.ADMIN.word())
                .pathMatchers(HttpMethod.POST, "/sign-out")
                .hasAuthority(VIEWER)
                .anyExchange()
                .hasAuthority(AccessRole.OPERATOR.word()));
    }

    private static void signIn(ServerHttpSecurity.FormLoginSpec form) {
        form.loginPage(AccessRefusals.SIGN_IN_PAGE)
                .authenticationSuccessHandler(new RedirectServerAuthenticationSuccessHandler("/"))
                .authenticationFailureHandler(
                        new RedirectServerAuthenticationFailureHandler(AccessRefusals.SIGN_IN_PAGE + "?refused"));
    }

    private static void signOut(ServerHttpSecurity.LogoutSpec logout) {
        RedirectServerLogoutSuccessHandler toSignIn = new RedirectServerLogoutSuccessHandler();
        toSignIn.setLogoutSuccessUrl(URI.create(AccessRefusals.SIGN_IN_PAGE));
        logout.logoutUrl("/sign-out").logoutSuccessHandler(toSignIn);
    }
}
