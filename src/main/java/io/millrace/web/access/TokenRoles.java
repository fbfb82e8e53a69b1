package io.millrace.web.access;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.converter.Converter;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;
import reactor.core.publisher.Mono;

/** Takes the roles of a token (RFC 7519) from one of its claims: a text, or a list of texts. Others are ignored. */
final class TokenRoles implements Converter<Jwt, Mono<AbstractAuthenticationToken>> {

    private final String claim;

    TokenRoles(String claim) {
        this.claim = claim;
    }

    @Override
    public Mono<AbstractAuthenticationToken> convert(Jwt token) {
        return Mono.just(new JwtAuthenticationToken(
                token,
                Authorities.highest(words(token.getClaim(claim)))
                        .map(Authorities::of)
                        .orElse(List.of())));
    }

    private static Set<String> words(@Nullable Object value) {
        return switch (value) {
            case Collection<?> several -> several.stream().map(String::valueOf).collect(Collectors.toSet());
            case String one -> Set.of(one.split(" ", -1));
            case null, default -> Set.of();
        };
    }
}
