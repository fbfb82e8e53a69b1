package io.millrace.web.access;

import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Logs each request that may change something, and each that was refused, with its user, status and sender; of those
 * that were refused no more than {@value #REFUSED_PER_SECOND} a second, and then how many were left out. Thread-safe.
 */
final class AuditLog implements WebFilter, Ordered {

    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
    private static final Set<HttpMethod> READS = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);
    private static final int REFUSED_PER_SECOND = 20;
    private static final int LONGEST_PATH = 200;
    private static final String USER = AuditLog.class.getName() + ".user";

    private final AtomicLong second = new AtomicLong();
    private final AtomicLong refusedInSecond = new AtomicLong();
    private final AtomicLong leftOut = new AtomicLong();

    /** Before all others, so that it sees what any of them refuses. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    /** Notes who sent a request; the filter of this bean comes before anyone knows. */
    static WebFilter userFilter() {
        return (exchange, chain) -> exchange.getPrincipal()
                .doOnNext(user -> exchange.getAttributes().put(USER, user.getName()))
                .then(Mono.defer(() -> chain.filter(exchange)));
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return chain.filter(exchange).doFinally(_ -> log(exchange));
    }

    private void log(ServerWebExchange exchange) {
        HttpStatusCode status = exchange.getResponse().getStatusCode();
        boolean refused = HttpStatus.UNAUTHORIZED.equals(status) || HttpStatus.FORBIDDEN.equals(status);
        ServerHttpRequest request = exchange.getRequest();
        if (refused ? mayLogRefused() : !READS.contains(request.getMethod())) {
            LOG.info(
                    "{}: user={} method={} path={} status={} from={}{}",
                    refused ? "refused" : "changed",
                    exchange.getAttributeOrDefault(USER, "-"),
                    request.getMethod(),
                    path(request),
                    status == null ? 200 : status.value(),
                    from(request.getRemoteAddress()),
                    refused ? leftOut() : "");
        }
    }

    /** As it was sent, so that no character of it can begin another line. */
    private static String path(ServerHttpRequest request) {
        String path = request.getURI().getRawPath();
        return path.length() <= LONGEST_PATH ? path : path.substring(0, LONGEST_PATH);
    }

    private static String from(@Nullable InetSocketAddress address) {
        return address == null || address.getAddress() == null
                ? "-"
                : address.getAddress().getHostAddress();
    }

    private boolean mayLogRefused() {
        long now = System.nanoTime() / 1_000_000_000;
        if (second.getAndSet(now) != now) {
            refusedInSecond.set(0);
        }
        if (refusedInSecond.incrementAndGet() <= REFUSED_PER_SECOND) {
            return true;
        }
        leftOut.incrementAndGet();
        return false;
    }

    private String leftOut() {
        long count = leftOut.getAndSet(0);
        return count == 0 ? "" : " leftOut=" + count;
    }
}
