package io.millrace.web.access;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.ResponseEntity;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;

/**
 * Reads each document of an issuer of tokens once in a while only. Spring Security reads the keys for each token whose
 * key it does not know, and anyone can send such tokens. Thread-safe.
 */
final class IssuerRequests implements ExchangeFilterFunction {

    /** Maximum delay until a new key of the issuer is accepted. */
    static final Duration INTERVAL = Duration.ofSeconds(10);

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(IssuerRequests.class);

    private final Map<URI, Mono<ResponseEntity<String>>> documents = new ConcurrentHashMap<>();

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        return documents
                .computeIfAbsent(
                        request.url(),
                        url -> next.exchange(request)
                                .flatMap(response -> response.toEntity(String.class))
                                .timeout(TIMEOUT)
                                .doOnError(e -> LOG.warn(
                                        "A document of the issuer of tokens can't be read: url={} error={}",
                                        url,
                                        String.valueOf(e.getMessage())))
                                .cache(INTERVAL))
                .map(IssuerRequests::response);
    }

    private static ClientResponse response(ResponseEntity<String> document) {
        String body = document.getBody();
        return ClientResponse.create(document.getStatusCode())
                .headers(headers -> headers.addAll(document.getHeaders()))
                .body(body == null ? "" : body)
                .build();
    }
}
