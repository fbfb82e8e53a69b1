package io.millrace.web.access;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthorizationCodeAuthenticationToken;
import org.springframework.security.oauth2.client.registration.ClientRegistration.ProviderDetails;
import org.springframework.security.oauth2.client.web.server.ServerOAuth2AuthorizationCodeAuthenticationTokenConverter;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2AuthorizationException;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.web.server.authentication.ServerAuthenticationConverter;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Reads the responses with which identity providers redirect browsers back. Refuses those that name another issuer than
 * that of the registration, or none although the provider's metadata promises it (RFC 9207, section 2.4): Spring
 * Security does not read this parameter. Thread-safe.
 */
final class ProviderResponses implements ServerAuthenticationConverter {

    /** Code of the error of a refused response. */
    static final String OTHER_ISSUER = "other-issuer";

    private static final String ISSUER = "iss";
    private static final String ISSUER_SUPPORTED = "authorization_response_iss_parameter_supported";

    private final ServerOAuth2AuthorizationCodeAuthenticationTokenConverter reader;

    ProviderResponses(IdentityProviders providers, AuthorizationRequestCookie started) {
        this.reader = new ServerOAuth2AuthorizationCodeAuthenticationTokenConverter(providers);
        reader.setAuthorizationRequestRepository(started);
    }

    @Override
    public Mono<Authentication> convert(ServerWebExchange exchange) {
        return reader.convert(exchange)
                .onErrorMap(OAuth2AuthorizationException.class, e -> new OAuth2AuthenticationException(e.getError(), e))
                .doOnNext(response -> requireIssuer(
                        ((OAuth2AuthorizationCodeAuthenticationToken) response)
                                .getClientRegistration()
                                .getProviderDetails(),
                        exchange.getRequest().getQueryParams().get(ISSUER)));
    }

    private static void requireIssuer(ProviderDetails provider, @Nullable List<String> named) {
        String issuer = provider.getIssuerUri();
        boolean required =
                Boolean.TRUE.equals(provider.getConfigurationMetadata().get(ISSUER_SUPPORTED));
        if (named == null ? required : issuer != null && !named.equals(List.of(issuer))) {
            throw new OAuth2AuthenticationException(
                    new OAuth2Error(OTHER_ISSUER),
                    "The response of the identity provider does not name its issuer '" + issuer + "'.");
        }
    }
}
