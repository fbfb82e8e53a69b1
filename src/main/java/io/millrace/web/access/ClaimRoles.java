package io.millrace.web.access;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.GrantedAuthority;

/**
 * Reads the roles of a token (RFC 7519) from a claim: a list, or words separated by spaces. Unknown roles are ignored.
 * Stateless.
 */
final class ClaimRoles {

    private final String claim;

    /** @param claim name of a claim, or names separated by dots of a claim in objects */
    ClaimRoles(String claim) {
        this.claim = claim;
    }

    /** Returns the authorities of the highest role; empty without a role. */
    List<GrantedAuthority> of(Map<String, ?> claims) {
        return Authorities.highest(words(find(claims, claim)))
                .map(Authorities::of)
                .orElse(List.of());
    }

    /**
     * Returns the value of a claim. Names of claims and clients may contain dots themselves, so each dot may separate
     * names.
     */
    private static @Nullable Object find(Map<?, ?> claims, String path) {
        Object value = claims.get(path);
        for (int dot = path.indexOf('.'); dot >= 0 && value == null; dot = path.indexOf('.', dot + 1)) {
            if (claims.get(path.substring(0, dot)) instanceof Map<?, ?> nested) {
                value = find(nested, path.substring(dot + 1));
            }
        }
        return value;
    }

    private static Set<String> words(@Nullable Object value) {
        return switch (value) {
            case Collection<?> several -> several.stream().map(String::valueOf).collect(Collectors.toSet());
            case String one -> new HashSet<>(List.of(one.split(" ", -1)));
            case null, default -> Set.of();
        };
    }
}
