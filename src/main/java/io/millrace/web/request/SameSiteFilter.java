package io.millrace.web.request;

import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Refuses requests that a web page of another site makes a browser send, with status 403. Thread-safe.
 *
 * <ul>
 *   <li>Code {@code host}: a request over loopback for a host name that is not this service's. Otherwise, a page whose
 *       name resolves to a loopback address could read responses (DNS rebinding). IP addresses and {@code localhost}
 *       need no name server, so they are always accepted.
 *   <li>Code {@code origin}: a request that may change something, from a page of another origin (cross-site request
 *       forgery). Browsers send the page's origin with each of these (RFC 6454); other clients send none.
 * </ul>
 *
 * <p>A request with several {@code Host} headers is refused with status 400: a proxy may have checked another one.
 */
public final class SameSiteFilter implements WebFilter, Ordered {

    private static final Logger LOG = LoggerFactory.getLogger(SameSiteFilter.class);

    private static final int MAX_LOGGED = 100;
    private static final Set<HttpMethod> READS = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);
    private static final String LOCALHOST = "localhost";

    private final Set<String> allowedHosts;
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    /** @param allowedHosts additional names of this service, such as that of a reverse proxy on the same machine */
    public SameSiteFilter(Collection<String> allowedHosts) {
        this.allowedHosts = allowedHosts.stream()
                .map(host -> host.toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Runs before all filters except the audit log. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE + 1;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        ServerHttpRequest request = exchange.getRequest();
        if (request.getHeaders().getOrEmpty(HttpHeaders.HOST).size() > 1) {
            return ProblemResponse.write(
                    exchange.getResponse(),
                    ApiErrorCode.BAD_REQUEST,
                    "Several headers 'Host' in a request. Use one (RFC 9112, section 3.2).");
        }
        String authority = request.getHeaders().getFirst(HttpHeaders.HOST);
        String host = authority == null ? null : host(authority);
        if (overLoopback(request) && !isOwn(host)) {
            return refuse(
                    exchange.getResponse(),
                    ApiErrorCode.HOST,
                    "Unknown host '" + authority + "'. Use localhost or an IP address, or add the name to"
                            + " millrace.web.allowed-hosts.");
        }
        String origin = request.getHeaders().getOrigin();
        if (origin != null && mayChange(request.getMethod()) && !isSame(origin, authority)) {
            return refuse(
                    exchange.getResponse(),
                    ApiErrorCode.ORIGIN,
                    "Request from a page of another origin '" + origin + "'. Use the page of this service, or add the"
                            + " origin's host to millrace.web.allowed-hosts.");
        }
        return chain.filter(exchange);
    }

    private static boolean overLoopback(ServerHttpRequest request) {
        InetSocketAddress local = request.getLocalAddress();
        return local == null || local.getAddress() == null || local.getAddress().isLoopbackAddress();
    }

    /** Returns whether requests of a method may change something, as RFC 9110 (section 9.2.1) defines. */
    public static boolean mayChange(HttpMethod method) {
        return !READS.contains(method);
    }

    private boolean isOwn(@Nullable String host) {
        return host != null
                && (host.equals(LOCALHOST)
                        || host.endsWith("." + LOCALHOST)
                        || NetUtil.isValidIpV4Address(host)
                        || NetUtil.isValidIpV6Address(host)
                        || allowedHosts.contains(host));
    }

    /**
     * Returns whether an origin has the same host and port, whatever its scheme: a proxy may add TLS. The origin
     * {@code null}, which sandboxes send, never does.
     */
    private boolean isSame(String origin, @Nullable String authority) {
        try {
            URI uri = URI.create(origin);
            String originHost = uri.getHost();
            return originHost != null
                    && (uri.getAuthority().equalsIgnoreCase(authority)
                            || allowedHosts.contains(originHost.toLowerCase(Locale.ROOT)));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Returns the host of {@code host:port} in lower case, an IPv6 address without its brackets. */
    private static String host(String authority) {
        int bracket = authority.lastIndexOf(']');
        int colon = authority.indexOf(':', bracket + 1);
        String host = (colon < 0 ? authority : authority.substring(0, colon)).toLowerCase(Locale.ROOT);
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    private Mono<Void> refuse(ServerHttpResponse response, ApiErrorCode code, String message) {
        if (logged.size() < MAX_LOGGED && logged.add(message)) {
            LOG.warn("Refused a request: code={} {}", code.code(), message);
        }
        return ProblemResponse.write(response, code, message);
    }
}
