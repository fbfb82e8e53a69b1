package io.millrace.web.access;

import io.millrace.feed.SourceNetwork;
import io.millrace.web.request.RequestSender;
import io.millrace.web.request.SameSiteFilter;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

/**
 * Logs each request that may change something and each refused request, with user, status and sender. Requests without
 * a user are limited to {@value #UNKNOWN_PER_SECOND} lines a second; the next line contains the number of lines left
 * out. Thread-safe.
 */
final class AuditLog implements WebFilter, Ordered {

    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
    private static final int UNKNOWN_PER_SECOND = 20;
    private static final int LONGEST_PATH = 200;
    private static final int LONGEST_NAME = 60;
    private static final String USER = AuditLog.class.getName() + ".user";
    private static final String SIGNED_IN = AuditLog.class.getName() + ".signed-in";
    private static final String REFUSED = AuditLog.class.getName() + ".refused";

    private final LongSupplier nanoTime;
    private final AtomicLong second = new AtomicLong();
    private final AtomicLong unknownInSecond = new AtomicLong();
    private final AtomicLong leftOut = new AtomicLong();

    /** @param nanoTime clock in nanoseconds, as {@link System#nanoTime} */
    AuditLog(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Runs before all others, so that it logs what any of them refuses. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    /** Returns a filter that records the user, to run once the request is authenticated. */
    static WebFilter userFilter() {
        return (exchange, chain) -> exchange.getPrincipal()
                .filter(user -> !(user instanceof AnonymousAuthenticationToken))
                .map(user -> RequestSender.name(user.getName()))
                .doOnNext(user -> exchange.getAttributes().put(USER, user))
                .map(user -> chain.filter(exchange).contextWrite(context -> context.put(RequestSender.USER, user)))
                .switchIfEmpty(Mono.fromSupplier(() -> chain.filter(exchange)))
                .flatMap(request -> request);
    }

    /** @param name may be the subject of a token: missing, or any text */
    static void noteUser(ServerWebExchange exchange, @Nullable String name) {
        exchange.getAttributes().put(USER, RequestSender.name(name));
    }

    /** Records a user who signed in, by whichever method. */
    static void noteSignedIn(ServerWebExchange exchange, String name) {
        noteUser(exchange, name);
        exchange.getAttributes().put(SIGNED_IN, true);
    }

    /**
     * Records that a request was refused, such as a sign-in, whose status is that of a redirect.
     *
     * @param reason a word, which may come from the client or the provider
     */
    static void noteRefused(ServerWebExchange exchange, String reason) {
        exchange.getAttributes().put(REFUSED, RequestSender.word(reason));
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        exchange.getAttributes()
                .put(RequestSender.ATTRIBUTE, from(exchange.getRequest().getRemoteAddress()));
        return chain.filter(exchange)
                .doFinally(signal -> log(exchange, signal))
                .contextWrite(context -> context.put(
                        RequestSender.NETWORK, network(exchange.getRequest().getRemoteAddress())));
    }

    private void log(ServerWebExchange exchange, SignalType signal) {
        HttpStatusCode status = exchange.getResponse().getStatusCode();
        String reason = exchange.getAttribute(REFUSED);
        boolean refused = reason != null
                || HttpStatus.BAD_REQUEST.equals(status)
                || HttpStatus.UNAUTHORIZED.equals(status)
                || HttpStatus.FORBIDDEN.equals(status);
        ServerHttpRequest request = exchange.getRequest();
        String user = exchange.getAttributeOrDefault(USER, "-");
        boolean changed = SameSiteFilter.mayChange(request.getMethod()) || exchange.getAttribute(SIGNED_IN) != null;
        if ((!refused && !changed) || (user.equals("-") && !mayLogUnknown())) {
            return;
        }
        LOG.info(
                "{}: user={} method={} path={} status={} from={}{}{}",
                refused ? "refused" : "changed",
                user,
                shortened(request.getMethod().name(), LONGEST_NAME),
                shortened(request.getURI().getRawPath(), LONGEST_PATH),
                status(status, signal),
                from(request.getRemoteAddress()),
                reason == null ? "" : " reason=" + reason,
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

    private static String network(@Nullable InetSocketAddress address) {
        return address == null || address.getAddress() == null
                ? RequestSender.UNKNOWN
                : SourceNetwork.of(address.getAddress()).toString();
    }

    private boolean mayLogUnknown() {
        long now = TimeUnit.NANOSECONDS.toSeconds(nanoTime.getAsLong());
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
