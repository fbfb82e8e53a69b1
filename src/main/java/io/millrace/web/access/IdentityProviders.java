package io.millrace.web.access;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.security.oauth2.client.autoconfigure.OAuth2ClientProperties;
import org.springframework.boot.security.oauth2.client.autoconfigure.OAuth2ClientPropertiesMapper;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ReactiveClientRegistrationRepository;
import org.springframework.web.util.UriUtils;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The identity providers of Spring Boot's properties. The metadata of an issuer is read at the first sign-in: Spring
 * Boot's own repository reads it at start, which would fail while the issuer can't be reached. Thread-safe.
 */
final class IdentityProviders implements ReactiveClientRegistrationRepository {

    private static final Logger LOG = LoggerFactory.getLogger(IdentityProviders.class);

    private static final Duration FOREVER = Duration.ofMillis(Long.MAX_VALUE);
    /** Minimum delay before a failed read is repeated, since anyone can start a sign-in. */
    private static final Duration RETRY_DELAY = Duration.ofSeconds(5);

    private final Map<String, Mono<ClientRegistration>> registrations = new LinkedHashMap<>();
    private final List<Link> links;

    /**
     * A link that starts a sign-in.
     *
     * @param name display name of the provider
     * @param path of the link
     */
    record Link(String name, String path) {}

    IdentityProviders(OAuth2ClientProperties properties) {
        properties.getRegistration().keySet().forEach(id -> registrations.put(id, registration(properties, id)));
        this.links = properties.getRegistration().entrySet().stream()
                .map(entry -> new Link(
                        Objects.requireNonNullElse(entry.getValue().getClientName(), entry.getKey()),
                        "/oauth2/authorization/" + UriUtils.encodePathSegment(entry.getKey(), "UTF-8")))
                .toList();
    }

    private static Mono<ClientRegistration> registration(OAuth2ClientProperties all, String id) {
        OAuth2ClientProperties.Registration registration =
                Objects.requireNonNull(all.getRegistration().get(id));
        OAuth2ClientProperties one = new OAuth2ClientProperties();
        one.getRegistration().put(id, registration);
        one.getProvider().putAll(all.getProvider());
        String provider = Objects.requireNonNullElse(registration.getProvider(), id);
        OAuth2ClientProperties.Provider given = all.getProvider().get(provider);
        if (given == null || given.getIssuerUri() == null) {
            return Mono.just(read(one, id));
        }
        return Mono.fromCallable(() -> read(one, id))
                .subscribeOn(Schedulers.boundedElastic())
                .doOnError(e -> LOG.warn(
                        "Metadata of an identity provider can't be read: registration={} issuer={} error={}",
                        id,
                        given.getIssuerUri(),
                        String.valueOf(e.getMessage())))
                .onErrorMap(UnreachableProviderException::new)
                .cache(found -> FOREVER, error -> RETRY_DELAY, () -> Duration.ZERO);
    }

    private static ClientRegistration read(OAuth2ClientProperties properties, String id) {
        return Objects.requireNonNull(new OAuth2ClientPropertiesMapper(properties)
                .asClientRegistrations()
                .get(id));
    }

    /** Returns a link for each provider. */
    List<Link> links() {
        return links;
    }

    @Override
    public Mono<ClientRegistration> findByRegistrationId(String id) {
        return registrations.getOrDefault(id, Mono.empty());
    }
}
