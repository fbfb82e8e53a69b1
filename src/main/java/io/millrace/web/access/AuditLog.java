package io.millrace.web.access;

import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
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
import reactor.core.publisher.SignalType;

/**
 * Logs each request that may change something, and each that was refused, with its user, status and sender; of those
 * without a user no more than {@value #UNKNOWN_PER_SECOND} a second, and then how many were left out. Thread-safe.
 */
final class AuditLog implements WebFilter, Ordered {

    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
    private static final Set<HttpMethod> READS = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);
    private static final int UNKNOWN_PER_SECOND = 20;
    private static final int LONGEST_PATH = 200;
    private static final int LONGEST_NAME = 60;
    private static final Pattern UNUSUAL = Pattern.compile("[^\\w.@:+-]");
    private static final String USER = AuditLog.class.getName() + ".user";
    private static final String REFUSED = AuditLog.class.getName() + ".refused";

    private final AtomicLong second = new AtomicLong();
    private final AtomicLong unknownInSecond = new AtomicLong();
    private final AtomicLong leftOut = new AtomicLong();

    /** Before all others, so that it sees what any of them refuses. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    /** Notes who sent a request; this bean's own filter comes before anyone knows. */
    static WebFilter userFilter() {
        return (exchange, chain) -> exchange.getPrincipal()
                .doOnNext(user -> noteUser(exchange, user.getName()))
                .then(Mono.defer(() -> chain.filter(exchange)));
    }

    /** @param name of a token's subject perhaps, which may be missing, or hold anything */
    static void noteUser(ServerWebExchange exchange, @Nullable String name) {
        String plain = name == null ? "-" : UNUSUAL.matcher(name).replaceAll("?");
        exchange.getAttributes().put(USER, shortened(plain, LONGEST_NAME));
    }

    /** Notes that a request was refused, whatever its status says. */
    static void noteRefused(ServerWebExchange exchange) {
        exchange.getAttributes().put(REFUSED, true);
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return chain.filter(exchange).doFinally(signal -> log(exchange, signal));
    }

    private void log(ServerWebExchange exchange, SignalType signal) {
        HttpStatusCode status = exchange.getResponse().getStatusCode();
        boolean refused = exchange.getAttribute(REFUSED) != null
                || HttpStatus.BAD_REQUEST.equals(status)
                || HttpStatus.UNAUTHORIZED.equals(status)
                || HttpStatus.FORBIDDEN.equals(status);
        ServerHttpRequest request = exchange.getRequest();
        String user = exchange.getAttributeOrDefault(USER, "-");
        if ((!refused && READS.contains(request.getMethod())) || (user.equals("-") && !mayLogUnknown())) {
            return;
        }
        LOG.info(
                "{}: user={} method={} path={} status={} from={}{}",
                refused ? "refused" : "changed",
                user,
                shortened(request.getMethod().name(), LONGEST_NAME),
                shortened(request.getURI().getRawPath(), LONGEST_PATH),
                status(status, signal),
                from(request.getRemoteAddress()),
                leftOut());
    }

    private static String status(@Nullable HttpStatusCode status, SignalType signal) {
        return switch (signal) {
            case ON_ERROR -> "failed";
            case CANCEL -> "cancelled";
            default -> String.valueOf(status == null ? 200 : status.value());
        };
    }

    private static String shortened(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length);
    }

    private static String from(@Nullable InetSocketAddress address) {
        return address == null || address.getAddress() == null
                ? "-"
                : address.getAddress().getHostAddress();
    }

    private boolean mayLogUnknown() {
        long now = System.nanoTime() / 1_000_000_000;
        if (second.getAndSet(now) != now) {
            unknownInSecond.set(0);
        }
        if (unknownInSecond.incrementAndGet() <= UNKNOWN_PER_SECOND) {
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
