package io.millrace.web.access;

import java.util.Arrays;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.security.autoconfigure.actuate.web.reactive.EndpointRequest;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.security.web.server.util.matcher.AndServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.OrServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.PathPatternParserServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher.MatchResult;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Matchers of requests to the actuator, whatever its base path, the paths of its endpoints and its port are. Spring
 * Boot knows them; a pattern made of a property would miss some.
 */
final class ActuatorRequests {

    private static final EndpointId HEALTH = EndpointId.of("health");

    /** Groups of health without details: orchestrators have no password. */
    private static final String[] PROBES = {"liveness", "readiness", "copies"};

    /** Endpoints for viewers; others, such as a heap dump, contain secrets. */
    private static final String[] FOR_VIEWERS = {
        "health", "info", "metrics", "prometheus", "integrationgraph", "sbom",
    };

    private ActuatorRequests() {}

    /** Matches reads of the health groups that anyone may see. */
    static ServerWebExchangeMatcher probes() {
        return new AndServerWebExchangeMatcher(
                EndpointRequest.to(HEALTH.toString()).withHttpMethod(HttpMethod.GET), ActuatorRequests::isProbe);
    }

    private static Mono<MatchResult> isProbe(ServerWebExchange exchange) {
        ApplicationContext context = exchange.getApplicationContext();
        String health = context == null
                ? null
                : context.getBean(PathMappedEndpoints.class).getPath(HEALTH);
        return health == null
                ? MatchResult.notMatch()
                : new OrServerWebExchangeMatcher(Arrays.stream(PROBES)
                                .<ServerWebExchangeMatcher>map(
                                        probe -> new PathPatternParserServerWebExchangeMatcher(health + "/" + probe))
                                .toList())
                        .matches(exchange);
    }

    /** Matches reads of the endpoints that viewers may see. */
    static ServerWebExchangeMatcher forViewers() {
        return EndpointRequest.to(FOR_VIEWERS).withHttpMethod(HttpMethod.GET);
    }

    /** Matches all requests to the actuator, and all to a port of its own. */
    static ServerWebExchangeMatcher all() {
        return new OrServerWebExchangeMatcher(
                EndpointRequest.toAnyEndpoint(),
                exchange ->
                        WebServerApplicationContext.hasServerNamespace(exchange.getApplicationContext(), "management")
                                ? MatchResult.match()
                                : MatchResult.notMatch());
    }
}
